//! What an attach card says of the branch that it embeds, wherever its writer put it (`legacy.md` §8).

use super::json::{Kind, Raw, strip};
use super::node::Node;
use super::snapshot::Snapshot;

/// The stripped text under `key` of the blob in `metadata.attach`, or in `metadata.extra` where that is falsy: an object or the
/// text of one, or the object under its own `attach`.
pub(super) fn attach_text(attach: Option<Raw<'_>>, extra: Option<Raw<'_>>, key: &str) -> Option<String> {
    let raw = attach.filter(|raw| raw.truthy()).or(extra)?;
    let text = raw.string();
    let blob = match &text {
        Some(text) => Raw::checked(text)?,
        None => raw,
    };
    let blob = blob.member("attach").filter(|inner| inner.kind() == Kind::Object).unwrap_or(blob);
    Some(strip(&blob.member(key)?.string()?).to_owned())
}

impl Snapshot {
    /// The stripped text under a key of what an attach card embeds.
    pub fn attach_text(&self, card: &Node, key: &str) -> Option<String> {
        attach_text(self.metadata_member(card, "attach"), self.metadata_member(card, "extra"), key)
    }
}
