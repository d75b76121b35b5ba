#!/usr/bin/env bash
# repeat.sh PORT: what surrounds the script on its machine: a timer that calls it, the three things that it asks, and, as the script does
# not do it, the condition Active of its check.
set -euo pipefail

port=$1
here=$(pwd)
check=fabric-storage-readiness
version=kueue.x-k8s.io
mkdir -p gate
export PATH="$here/machine:$PATH" GATE_FILE="$here/gate/open-$port"
export GPU_FABRIC_GATE="$here/machine/gpu-fabric-gate" GPU_LEASE="$here/machine/gpu-lease"
trap 'exit 0' TERM INT
# The script gives kubectl `--patch-file -`, which kubectl takes for a file of that name: here it is one, and leads to its input.
cd gate
ln --symbolic --force /dev/stdin ./-

activate() {
  kubectl get admissionchecks.$version $check --output json 2>/dev/null | jq --exit-status '
    .metadata.generation as $generation
    | select(.spec.controllerName == "sounio.dev/fabric-storage-readiness")
    | select(any(.status.conditions[]?; .type == "Active" and .observedGeneration == $generation) | not)
    | {metadata: {resourceVersion: .metadata.resourceVersion}, status: {conditions: (
        [.status.conditions[]? | select(.type != "Active")]
        + [{type: "Active", status: "True", reason: "Active", message: "the timer runs",
            lastTransitionTime: (first(.status.conditions[]? | select(.type == "Active" and .status == "True") | .lastTransitionTime)
              // (now | todate)), observedGeneration: $generation}])}}' >active-$port.json || return 0
  kubectl patch admissionchecks.$version $check --subresource=status --type=merge --patch-file=active-$port.json || true
}

while :; do
  activate
  "$here/clone/fabric-storage-admission-reconcile.sh" || true
  sleep 1
done
