//! What a check controller reads and writes of Kueue's objects.

use kube::api::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};

pub const ACTIVE: &str = "Active";
static NULL: Value = Value::Null;

pub fn admission_checks() -> ApiResource {
    resource("AdmissionCheck", "admissionchecks")
}

pub fn workloads() -> ApiResource {
    resource("Workload", "workloads")
}

fn resource(kind: &str, plural: &str) -> ApiResource {
    ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk("kueue.x-k8s.io", "v1beta2", kind), plural)
}

/// Tells whether an AdmissionCheck names a controller.
pub fn is_of(check: &DynamicObject, controller: &str) -> bool {
    check.data["spec"]["controllerName"] == controller
}

/// Returns a condition, null when there is none.
pub fn condition<'a>(thing: &'a DynamicObject, name: &str) -> &'a Value {
    let listed = thing.data["status"]["conditions"].as_array();
    listed.and_then(|all| all.iter().find(|one| one["type"] == name)).unwrap_or(&NULL)
}

fn is_true(thing: &DynamicObject, name: &str) -> bool {
    condition(thing, name)["status"] == "True"
}

/// A Workload may be judged while it has quota, and is neither on its way out nor at its end.
pub fn may_act(workload: &DynamicObject) -> bool {
    let stays = workload.metadata.deletion_timestamp.is_none() && workload.data["spec"]["active"] != false;
    stays && is_true(workload, "QuotaReserved") && !is_true(workload, "Evicted") && !is_true(workload, "Finished")
}

/// Returns all entries of a Workload, those of others too.
pub fn entries(workload: &DynamicObject) -> &[Value] {
    workload.data["status"]["admissionChecks"].as_array().map_or(&[], Vec::as_slice)
}

/// Returns a Workload with other entries, and everything else as it was read.
pub fn with_entries(workload: &DynamicObject, entries: Vec<Value>) -> DynamicObject {
    let mut changed = workload.clone();
    changed.data["status"]["admissionChecks"] = Value::Array(entries);
    changed
}

/// Returns an AdmissionCheck that is Active in this generation; the time moves only when it becomes so.
pub fn activated(check: &DynamicObject) -> DynamicObject {
    let old = condition(check, ACTIVE);
    let since = if old["status"] == "True" { old["lastTransitionTime"].clone() } else { timestamp() };
    let active = json!({
        "type": ACTIVE, "status": "True", "reason": "Active", "message": "The check can be used",
        "lastTransitionTime": since, "observedGeneration": check.metadata.generation,
    });
    let listed = check.data["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let others = listed.into_iter().filter(|one| one["type"] != ACTIVE);
    let mut changed = check.clone();
    if !changed.data["status"].is_object() {
        changed.data["status"] = json!({});
    }
    changed.data["status"]["conditions"] = others.chain([active]).collect();
    changed
}

/// Returns the present as the API writes it.
pub fn timestamp() -> Value {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string().into()
}
