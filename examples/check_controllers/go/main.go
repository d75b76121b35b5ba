// Command check-controller is a small AdmissionCheck controller on controller-runtime: it asks an HTTP endpoint for each verdict
// and writes it down as Kueue expects.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const group, version = "kueue.x-k8s.io", "v1beta2"

func main() {
	name := flag.String("controller-name", cmp.Or(os.Getenv("KUEUE_CONFORMANCE_CONTROLLER_NAME"), "example.com/budget"),
		"the controllerName of the AdmissionChecks to answer")
	url := flag.String("verdict-url", os.Getenv("KUEUE_CONFORMANCE_VERDICT_URL"), "where verdicts are asked for")
	poll := flag.Duration("poll", 100*time.Millisecond, "how often an open verdict is asked for")
	lease := flag.Duration("lease", 3*time.Second, "how long a leader that died is waited for")
	namespace := flag.String("lease-namespace", "default", "where the Lease of the leader is")
	flag.Parse()
	if *url == "" {
		fail(fmt.Errorf("--verdict-url is missing: where are verdicts asked for?"))
	}
	ctrl.SetLogger(klog.NewKlogr())
	config := ctrl.GetConfigOrDie()
	config.QPS, config.Burst = 100, 200
	fail(run(config, &Checks{Name: *name}, &Endpoint{URL: *url}, *poll, *lease, *namespace))
}

// run starts a manager with both controllers and returns when it was told to stop.
func run(config *rest.Config, checks *Checks, endpoint *Endpoint, poll, lease time.Duration, namespace string) error {
	renew, retry := lease*2/3, lease/6
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		// Without this every look at an object of no Go type is a request.
		Client:         client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		LeaderElection: true, LeaderElectionID: "check-controller", LeaderElectionNamespace: namespace,
		LeaderElectionReleaseOnCancel: true, LeaseDuration: &lease, RenewDeadline: &renew, RetryPeriod: &retry,
	})
	if err != nil {
		return err
	}
	checks.Client = manager.GetClient()
	if err = checks.SetUp(manager); err != nil {
		return err
	}
	if err = (&Workloads{Client: manager.GetClient(), Checks: checks, Endpoint: endpoint, Poll: poll}).SetUp(manager); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "check-controller:", err)
		os.Exit(1)
	}
}

// object returns an empty object of one of Kueue's kinds.
func object(kind string) *unstructured.Unstructured {
	one := &unstructured.Unstructured{}
	one.SetGroupVersionKind(schema.GroupVersionKind{Group: group, Version: version, Kind: kind})
	return one
}
