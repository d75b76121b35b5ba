//! The outside system, and how its verdicts are told in a Workload.

use kube::{ResourceExt, api::DynamicObject};
use serde_json::{Value, json};

use crate::kueue::timestamp;

/// Letters of up to four bytes each, of the 1 024 bytes that a message may have.
const LONGEST_MESSAGE: usize = 250;

/// Retry and Rejected are Kueue's to move on.
pub fn is_kueues(entry: &Value) -> bool {
    entry["state"] == "Retry" || entry["state"] == "Rejected"
}

/// Returns the outside system's verdict about an entry of a Workload.
pub async fn ask(client: &reqwest::Client, url: &str, workload: &DynamicObject, entry: &Value) -> reqwest::Result<Value> {
    let namespace = workload.namespace().unwrap_or_default();
    let name = workload.name_any();
    let about = [("namespace", namespace.as_str()), ("workload", &name), ("check", entry["name"].as_str().unwrap_or_default())];
    client.get(url).query(&about).send().await?.error_for_status()?.json().await
}

/// Makes an entry tell a verdict: its time moves only with its state, and Kueue's retryCount stays.
pub fn take_down(entry: &mut Value, told: &Value) {
    let state = &told["state"];
    let waits = state == "Pending" && entry["state"] == "Pending" && told["message"].is_string();
    if !waits && !["Ready", "Retry", "Rejected"].iter().any(|one| state == one) {
        return; // an answer that is no verdict changes nothing
    }
    let said = told["message"].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let text = said.unwrap_or_else(|| format!("The outside system says {}", state.as_str().unwrap_or_default()));
    let since = if entry["state"] == *state { entry["lastTransitionTime"].clone() } else { timestamp() };
    let mut new = json!({
        "name": entry["name"], "state": state, "lastTransitionTime": since,
        "message": text.chars().take(LONGEST_MESSAGE).collect::<String>(),
    });
    if !entry["retryCount"].is_null() {
        new["retryCount"] = entry["retryCount"].clone();
    }
    if state == "Retry" && told["requeueAfterSeconds"].as_i64().is_some_and(|seconds| seconds >= 0) {
        new["requeueAfterSeconds"] = told["requeueAfterSeconds"].clone();
    }
    *entry = new;
}
