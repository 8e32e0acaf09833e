//! The servers that the tests run, and what whoever calls Unleash's Admin API has to know.
//!
//! # Use
//!
//! ```ignore
//! let Some(postgres) = Postgres::start() else { return };          // skipped where it is not installed; a failure with CI=true
//! let Some(mut unleash) = Unleash::start(&postgres) else { return };
//! unleash.admin().post("/api/admin/…", &json!({…}))?;
//! unleash.freeze(); unleash.thaw(); unleash.stop(); unleash.kill(); unleash.start_again();   // a Postgres can do the same
//! ```
//!
//! Each start is a server of its own on a free port with fresh data: about 0.3 s for PostgreSQL, 2 s for Unleash. The first start of
//! all takes 10 s more, to run Unleash's migrations into a data folder (`target/services/template-…`) that later starts copy. Servers
//! and data are gone when their owner is dropped, and also when the process is killed: a shell (`guard.sh`) watches over each. What
//! the servers printed stays in `target/services/logs`; a test that panics shows the end of it.
//!
//! # Unleash 7.4.1, open source, as it was seen to answer
//!
//! **Environments** are `development` and `production`, no `default`; one project, `default`. Neither can be added
//! (`POST /api/admin/environments`, `POST /api/admin/projects`: 404). An environment that is not there: 400 for a strategy ("You have
//! not added the current environment to the project"), 404 for `/on`.
//!
//! **Tokens** go into `Authorization`, as they are or after `Bearer `.
//!
//! | kind | made by | Admin API | client API | import |
//! |---|---|---|---|---|
//! | admin `*:*.…` | `INIT_ADMIN_API_TOKENS` only; `POST /api/admin/api-tokens` refuses `"type":"admin"` (400) | yes | yes, all flags | 400 |
//! | personal `user:…` | `POST /api/admin/user/tokens` `{"description","expiresAt"}` with a session (below) | yes | not tried | yes |
//! | client, now "backend", `project:environment.…` | `INIT_CLIENT_API_TOKENS` or `POST /api/admin/api-tokens` `{"tokenName","type":"client","environment","projects":["default"]}` (201, `secret`; works at once) | 403 | yes | 403 |
//! | frontend | likewise, `"type":"frontend"` (201) | not tried | not tried | not tried |
//!
//! No or a wrong token: 401. `/health` is asked without one: it answers 403 to a client token, and `{"health":"GOOD"}` with 200 even
//! while the database is down. `INIT_…` tokens are made only where the database holds none yet. The session of a fresh server:
//! `POST /auth/simple/login` `{"username":"admin","password":"unleash4all"}` answers with a cookie; ten tries a minute.
//!
//! **Flags**: `F` is `/api/admin/projects/default/features`, `E` is `F/{flag}/environments/{environment}`.
//!
//! | call | body | answer |
//! |---|---|---|
//! | `POST F` | `{"name","type","description","impressionData"}`; type `release`, `experiment`, `operational`, `kill-switch` or `permission` | 201; 409 `NameExistsError` where it is there, or archived ("An archived flag …"); 400 for names that need escaping in a URL |
//! | `GET F`, `GET F/{flag}`, `GET E` | | 200; the second has all environments with strategies, and `yes`/`no` of the last hour; 404 |
//! | `PUT F/{flag}` | `{"name","description","type","impressionData"}` | 200; what is left out falls back to its default (`type` to `release`) |
//! | `DELETE F/{flag}` | | 202, archived; `POST /api/admin/archive/revive/{flag}` 200, `DELETE /api/admin/archive/{flag}` 200 is for good |
//! | `GET E/strategies` | | 200, an array with ids |
//! | `POST E/strategies` | `{"name":"flexibleRollout","parameters":{"rollout":"100","stickiness":"sessionId","groupId":"history-steps"},"constraints":[],"segments":[]}` | 200 with `id`. Adds one each time: not idempotent. 400 for an unknown strategy |
//! | `PUT E/strategies/{id}` | as above | 200, replaces it |
//! | `PATCH E/strategies/{id}` | `[{"op":"replace","path":"/parameters/rollout","value":"50"}]` | 200 |
//! | `POST E/on`, `POST E/off` | none | 200, idempotent; 404 for no such flag |
//! | `POST /api/admin/projects/default/bulk_features/environments/{environment}/on` (or `off`) | `{"features":["…"]}` | 200 |
//! | `POST /api/admin/features/{flag}/tags` | `{"type":"simple","value":"…"}` | 201 |
//! | `GET /api/admin/events?limit=2` | | 200, who changed what, newest first |
//!
//! Traps. `E/on` where the flag has no strategy *adds* one: rollout 100, stickiness `default`, group = the flag's name; so add the
//! strategy first. Parameters are not checked: rollout "250" and unknown stickiness are taken with 200 and served as they are; a
//! number becomes a string. Constraints on unknown context fields are taken too.
//!
//! **Import** (`POST /api/admin/features-batch/import`, and `/validate`, which takes an admin token):
//! `{"project","environment","data":{"features":[{"name","type"}],"featureStrategies":[{"featureName","name","parameters",…}],
//! "featureEnvironments":[{"name","featureName","environment","enabled","variants":[]}],"contextFields":[],"featureTags":[],
//! "segments":[],"tagTypes":[]}}` → 200, empty, in one transaction; again → 200, strategies of that environment are replaced. It
//! refuses with 400: admin tokens ("You can't use an admin token to import features"); any key more in `data` (`version`), and a
//! missing one (`featureStrategies`, `tagTypes`, …); strategies that the server does not know; context fields whose legal values
//! differ; segments and parents that are not there; an environment that the project has not; flags that another project has.
//! Archived flags are left out without a word. (Segments, parents, archived flags: read in its source, not tried.) So an admin token has to go flag by flag.
//! `POST /api/admin/features-batch/export` `{"environment","features":["…"]}` takes an admin token and gives the same shape.
//!
//! **Clients**: `GET /api/client/features` serves a change within about a second (the server looks for a new revision each second).
//! `ETag: "6ef7ec5a:9:v1"` is query and revision; `If-None-Match` → 304 without a body. Flags that are off are in it, with
//! `"enabled":false`. While the database is down, an unchanged state is still served from memory to known tokens; unknown tokens,
//! the Admin API and posted usage get no answer for more than 15 s (they hang rather than fail).
//!
//! **Usage**: `POST /api/client/metrics` `{"appName","instanceId","bucket":{"start","stop","toggles":{flag:{"yes":7,"no":3}}}}` with a
//! client token → 202 without a body (400 without `bucket`; times are RFC 3339). The token's environment counts, not the body's; an
//! admin token counts for `default`. It is kept in memory and written every 5 s: visible after 0 to 5 s, lost in a crash before that.
//! Flags' names are cached for 10 s from a post: usage of a flag made within that time after a post is dropped with 202, as is that
//! of unknown flags. Read it by `GET /api/admin/client-metrics/features/{flag}` →
//! `{"lastHourUsage":[{"environment","timestamp":"…T14:00:00.000Z","yes":7,"no":3}],"seenApplications":["…"]}`, hours by the clock,
//! 200 and empty for unknown flags, or `…/{flag}/raw?hoursBack=1` (1 to 48; by hour and application). `GET F/{flag}` shows the same
//! sums. `POST /api/client/register` `{"appName","instanceId","sdkVersion","strategies":[],"started","interval"}` → 202; seen in
//! `GET /api/admin/metrics/applications`.
//!
//! `GET /internal-backstage/prometheus` needs no token.

mod faulty;
mod http;
mod need;
mod postgres;
mod server;
mod unleash;

pub(crate) use faulty::{Answer, Faulty};
pub(crate) use http::Http;
pub(crate) use postgres::Postgres;
pub(crate) use server::{children, is_alive, wait_until};
pub(crate) use unleash::Unleash;
