//! A small AdmissionCheck controller on kube-rs: it asks an HTTP endpoint for each verdict and writes it down as Kueue expects.
//!
//! One controller makes AdmissionChecks Active, a second one judges Workloads; the second knows the checks from the first one's store.

mod kueue;
mod verdicts;

use std::{env, sync::Arc, time::Duration};

use anyhow::Context as _;
use futures::StreamExt;
use kube::{
    Client, ResourceExt,
    api::{Api, DynamicObject, PostParams},
    runtime::{
        controller::{Action, Config, Controller},
        reflector::{ObjectRef, Store},
        watcher,
    },
};

use kueue::{ACTIVE, admission_checks, workloads};

const POLL: Duration = Duration::from_millis(100);
const RESYNC: Duration = Duration::from_secs(1);
/// So many objects are worked on at once, so that watches are heard between them.
const AT_ONCE: u16 = 16;
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// What both controllers share.
struct Context {
    client: Client,
    http: reqwest::Client,
    name: String,
    verdicts: String,
    checks: Store<DynamicObject>,
}

impl Context {
    /// Tells whether a check is ours and stays: by the controllerName of the AdmissionCheck, never by the check's own name.
    fn owns(&self, check: &str) -> bool {
        let found = self.checks.get(&ObjectRef::new_with(check, admission_checks()));
        found.is_some_and(|one| kueue::is_of(&one, &self.name) && one.metadata.deletion_timestamp.is_none())
    }
}

/// Says that a check can be used, once for each generation of it.
async fn activate(check: Arc<DynamicObject>, context: Arc<Context>) -> Result<Action, Trouble> {
    if !context.owns(&check.name_any()) {
        return Ok(Action::await_change());
    }
    let old = kueue::condition(&check, ACTIVE);
    if old["status"] == "True" && old["observedGeneration"].as_i64() == check.metadata.generation {
        return Ok(Action::await_change());
    }
    let api: Api<DynamicObject> = Api::all_with(context.client.clone(), &admission_checks());
    api.replace_status(&check.name_any(), &PostParams::default(), &kueue::activated(&check)).await?;
    Ok(Action::await_change())
}

/// Brings our entries of a Workload up to date with one PUT; its resourceVersion makes the server refuse a decision about an older state.
async fn judge(workload: Arc<DynamicObject>, context: Arc<Context>) -> Result<Action, Trouble> {
    let listed = kueue::entries(&workload);
    let ours = |entry: &serde_json::Value| entry["name"].as_str().is_some_and(|name| context.owns(name));
    if !kueue::may_act(&workload) || !listed.iter().any(ours) {
        return Ok(Action::await_change());
    }
    let mut judged = listed.to_vec();
    for entry in judged.iter_mut().filter(|entry| ours(entry) && !verdicts::is_kueues(entry)) {
        let told = verdicts::ask(&context.http, &context.verdicts, &workload, entry).await?;
        verdicts::take_down(entry, &told);
    }
    if judged != listed {
        let namespace = workload.namespace().unwrap_or_default();
        let api: Api<DynamicObject> = Api::namespaced_with(context.client.clone(), &namespace, &workloads());
        let body = kueue::with_entries(&workload, judged);
        api.replace_status(&workload.name_any(), &PostParams::default(), &body).await?;
    }
    Ok(Action::requeue(POLL))
}

#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("the API server: {0}")]
    Api(#[from] kube::Error),
    #[error("the outside system: {0}")]
    Outside(#[from] reqwest::Error),
}

/// Trouble is printed, and never turned into a verdict. An object that is gone or was changed meanwhile comes back through its watch.
fn later(thing: Arc<DynamicObject>, trouble: &Trouble, _: Arc<Context>) -> Action {
    match trouble {
        Trouble::Api(kube::Error::Api(status)) if status.code == 404 || status.code == 409 => Action::await_change(),
        _ => {
            println!("{}: {trouble}", thing.name_any());
            Action::requeue(LONGEST_WAIT)
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let client = Client::try_default().await?;
    let everything = watcher::Config::default;
    let checks = Controller::new_with(Api::all_with(client.clone(), &admission_checks()), everything(), admission_checks());
    let judging = Controller::new_with(Api::all_with(client.clone(), &workloads()), everything(), workloads());
    let context = Arc::new(Context {
        client: client.clone(),
        http: reqwest::Client::builder().timeout(Duration::from_secs(10)).build()?,
        name: env::var("KUEUE_CONFORMANCE_CONTROLLER_NAME").unwrap_or("example.com/budget".into()),
        verdicts: env::var("KUEUE_CONFORMANCE_VERDICT_URL").context("KUEUE_CONFORMANCE_VERDICT_URL: where are verdicts asked for?")?,
        checks: checks.store(),
    });
    let known = judging.store();
    let each_workload =
        move |_: DynamicObject| known.state().into_iter().map(|one| ObjectRef::from_obj_with(&*one, workloads())).collect::<Vec<_>>();
    let judging = judging
        .watches_with(Api::all_with(client, &admission_checks()), admission_checks(), everything(), each_workload)
        .with_config(Config::default().concurrency(AT_ONCE));
    tokio::join!(
        checks.reconcile_all_on(resync()).shutdown_on_signal().run(activate, later, context.clone()).for_each(|_| async {}),
        judging.reconcile_all_on(resync()).shutdown_on_signal().run(judge, later, context).for_each(|_| async {}),
    );
    Ok(())
}

/// Tells again and again to look at everything: while a new list comes in pages, a controller hears of objects that its store has not yet,
/// passes them over, and is not told of them once more.
fn resync() -> impl futures::Stream<Item = ()> + Send + Sync + 'static {
    futures::stream::repeat(()).then(|()| tokio::time::sleep(RESYNC))
}
