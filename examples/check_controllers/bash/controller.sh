#!/usr/bin/env bash
# A small AdmissionCheck controller in bash: kubectl watches and knows the way to the cluster, curl asks an HTTP endpoint for each
# verdict and writes it, jq decides. To start kubectl takes longer than all the rest, so it is started once for each task.
set -uo pipefail

NAME=${KUEUE_CONFORMANCE_CONTROLLER_NAME:-example.com/budget}
VERDICTS=${KUEUE_CONFORMANCE_VERDICT_URL:?where are verdicts asked for?}
POLL_SECONDS=${POLL_SECONDS:-0.2}
GROUP=kueue.x-k8s.io
declare -A checks=() workloads=() open=()

for program in kubectl curl jq; do
  command -v "$program" >/dev/null || { echo "$program is needed, and is not on PATH" >&2; exit 1; }
done
folder=$(mktemp -d)
trap 'trap - TERM; rm -rf "$folder"; kill 0; exit 0' TERM INT EXIT

# follow KIND: what happens to its objects, an event a line, for ever. A watch that ends or is too old begins again with a list.
follow() {
  while :; do
    kubectl get "$1.$GROUP" --all-namespaces --watch --output-watch-events --output json | jq --raw-output --unbuffered '
      [.type, .object.kind, (.object.metadata.namespace // "") + "/" + .object.metadata.name, (.object | tojson)] | join("\t")'
    sleep 1
  done
}

# ask PATH OPTION...: one request to the cluster, through the kubectl that stands between.
ask() {
  curl --silent --show-error --fail --max-time 10 --unix-socket "$folder/api" "${@:2}" "http://localhost/apis/$GROUP$1"
}

# write OBJECT SORT PATCH: patch its status.
write() {
  ask "/$version/$1/status?fieldManager=${NAME##*/}" --output /dev/null --request PATCH \
    --header "Content-Type: application/$2+json" --data "$3"
}

# remember EVENT: keep the newest state of an object that concerns us.
remember() {
  local type kind key object
  IFS=$'\t' read -r type kind key object <<<"$1"
  if [ "$kind" = Workload ]; then
    unset "workloads[$key]" "open[$key]"
    [ "$type" = DELETED ] || { workloads[$key]=$object; look_at "$key"; }
  elif [ "$kind" = AdmissionCheck ]; then
    unset "checks[$key]"
    [ "$type" = DELETED ] || activate "$key" "$object"
    for key in "${!workloads[@]}"; do look_at "$key"; done
  fi
}

# look_at KEY: note which entries of a Workload are ours to change now: it has quota, and is not on its way out nor at its end.
look_at() {
  open[$1]=$(jq --raw-output --arg ours "$(printf '%s\n' "${!checks[@]}")" '
    def is($name): any(.status.conditions[]?; .type == $name and .status == "True");
    select(is("QuotaReserved") and (is("Evicted") or is("Finished") or .metadata.deletionTimestamp != null | not))
    | .metadata as {$namespace, $name, $resourceVersion} | .status.admissionChecks // [] | to_entries[]
    | select(("/" + .value.name) as $key | $ours | split("\n") | index($key))
    | select(.value.state | IN("Retry", "Rejected") | not)
    | [$namespace, $name, .value.name, ({$resourceVersion, index: .key, entry: .value} | tojson)] | join("\t")' <<<"${workloads[$1]}")
  [ -n "${open[$1]}" ] || unset "open[$1]"
}

# judge ENTRY: ask for a verdict and write it, unless the entry says it already. Fails when either went wrong.
judge() {
  local namespace name check entry verdict patch
  IFS=$'\t' read -r namespace name check entry <<<"$1"
  verdict=$(curl --silent --show-error --fail --max-time 10 --get --data-urlencode "namespace=$namespace" \
    --data-urlencode "workload=$name" --data-urlencode "check=$check" "$VERDICTS") || return
  # Its time moves only with its state, Kueue's retryCount stays; a Workload that has changed since it was read refuses the patch.
  patch=$(jq --compact-output --argjson verdict "$verdict" '
    . as $seen | .entry as $old
    | ($verdict | with_entries(select(.key | IN("state", "message"))))
      + (if $verdict.state == "Retry" and ($verdict.requeueAfterSeconds // -1) >= 0 then $verdict | {requeueAfterSeconds} else {} end)
      + ($old | with_entries(select(.key | IN("name", "retryCount"))))
      + {lastTransitionTime: (if $verdict.state == $old.state then $old.lastTransitionTime else (now | floor | todate) end)}
    | select($verdict.state | IN("Ready", "Retry", "Rejected")) | select(. != $old)
    | [{op: "test", path: "/metadata/resourceVersion", value: $seen.resourceVersion},
       {op: "replace", path: "/status/admissionChecks/\($seen.index)", value: .}]' <<<"$entry")
  [ -z "$patch" ] || write "namespaces/$namespace/workloads/$name" json-patch "$patch"
}

# activate KEY CHECK: where it is ours, say that it can be used, once for each generation of it.
activate() {
  local -a found
  mapfile -t found < <(jq --compact-output --arg controller "$NAME" '
    select(.spec.controllerName == $controller) | "ours", (
    .metadata.generation as $generation | (.status.conditions // []) as $all
    | (first($all[] | select(.type == "Active")) // {}) as $old
    | select($old.status != "True" or $old.observedGeneration != $generation)
    | {type: "Active", status: "True", reason: "Active", message: "The check can be used", observedGeneration: $generation,
       lastTransitionTime: (if $old.status == "True" then $old.lastTransitionTime else (now | floor | todate) end)} as $new
    | {metadata: {resourceVersion: .metadata.resourceVersion}, status: {conditions: [($all[] | select(.type != "Active")), $new]}})' <<<"$2")
  [ "${#found[@]}" -eq 0 ] || checks[$1]=1
  [ "${#found[@]}" -lt 2 ] || write "admissionchecks${1}" merge-patch "${found[1]}"
}

kubectl proxy --unix-socket "$folder/api" >/dev/null &
until version=$(ask "" | jq --raw-output --exit-status .preferredVersion.version) 2>/dev/null; do sleep 0.05; done
# A pipe for each kind: what two programs write into one is mixed where a line is longer than 4096 bytes.
exec 3< <(follow admissionchecks) 4< <(follow workloads)
while :; do
  for events in 3 4; do
    # Never `read -t SECONDS`: when its time is over it can lose the byte that it has just read, and two lines become one.
    while read -r -t 0 -u "$events"; do
      IFS= read -r event <&"$events"
      remember "$event"
    done
  done
  wait_seconds=$POLL_SECONDS
  for key in "${!open[@]}"; do
    while IFS= read -r entry; do
      judge "$entry" || wait_seconds=2
    done <<<"${open[$key]}"
  done
  sleep "$wait_seconds"
done
