package fakeclustertest_test

import (
	"context"
	"testing"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"example.com/envtest/fakeclustertest"
)

// A finished Job is deleted when its time to live is over, an hour from now.
func TestAnHourPassesAtOnce(t *testing.T) {
	cluster := fakeclustertest.Start(t, "--pod-script", "instant")
	jobs := kubernetes.NewForConfigOrDie(cluster.Config).BatchV1().Jobs("default")
	hour := int32(3600)
	pod := core.PodTemplateSpec{Spec: core.PodSpec{
		RestartPolicy: core.RestartPolicyNever, Containers: []core.Container{{Name: "work", Image: "work"}},
	}}
	job := &batch.Job{
		ObjectMeta: meta.ObjectMeta{Name: "train"}, Spec: batch.JobSpec{TTLSecondsAfterFinished: &hour, Template: pod},
	}
	if _, err := jobs.Create(context.Background(), job, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}

	cluster.Advance(59 * time.Minute)
	if found, err := jobs.Get(context.Background(), "train", meta.GetOptions{}); err != nil || found.Status.Succeeded != 1 {
		t.Fatalf("after 59 minutes: %v", err)
	}
	cluster.Advance(2 * time.Minute)
	if _, err := jobs.Get(context.Background(), "train", meta.GetOptions{}); !errors.IsNotFound(err) {
		t.Fatalf("after an hour: %v", err)
	}
}

func TestAFaultIsAddedAndTakenAway(t *testing.T) {
	cluster := fakeclustertest.Start(t)
	maps := kubernetes.NewForConfigOrDie(cluster.Config).CoreV1().ConfigMaps("default")
	remove := cluster.Fault(map[string]any{"verb": "create", "resource": "configmaps"}, map[string]any{"kind": "answer", "code": 409})
	data := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "data"}}

	if _, err := maps.Create(context.Background(), data, meta.CreateOptions{}); !errors.IsConflict(err) && !errors.IsAlreadyExists(err) {
		t.Fatalf("with the fault: %v", err)
	}
	remove()
	if _, err := maps.Create(context.Background(), data, meta.CreateOptions{}); err != nil {
		t.Fatalf("without the fault: %v", err)
	}
}
