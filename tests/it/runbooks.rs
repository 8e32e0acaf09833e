//! Each divergence code that is no improvement has its runbook heading, and each heading a code.

use parallax::compare::Code;

#[test]
fn every_code_has_its_page_and_every_page_its_code() {
    let text = std::fs::read_to_string("runbooks/divergences.md").expect("the runbook");
    let mut headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let mut codes: Vec<&str> = Code::ALL.iter().filter_map(|code| code.runbook()).collect();
    headings.sort_unstable();
    codes.sort_unstable();
    assert_eq!(headings, codes);
}
