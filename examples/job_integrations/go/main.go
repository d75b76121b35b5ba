// Command training-integration brings Trainings to Kueue: it makes a Workload for each Training and obeys its admission. It uses
// controller-runtime and no package of Kueue's.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const program = "training-integration"

func main() {
	lease := flag.Duration("lease", 3*time.Second, "how long the lease of a leader that died is waited for")
	namespace := flag.String("lease-namespace", "default", "the namespace of the Lease of the leader")
	flag.Parse()
	ctrl.SetLogger(klog.NewKlogr())
	config := ctrl.GetConfigOrDie()
	config.QPS, config.Burst = 100, 200
	if err := run(config, *lease, *namespace); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
		os.Exit(1)
	}
}

// run starts a manager with the controller, and returns after SIGTERM.
func run(config *rest.Config, lease time.Duration, namespace string) error {
	kinds := runtime.NewScheme()
	if err := clientscheme.AddToScheme(kinds); err != nil {
		return err
	}
	addTrainings(kinds)
	renew, retry := lease*2/3, lease/6
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  kinds,
		Metrics: server.Options{BindAddress: "0"},
		// Workloads have no Go type here; without this option each read of such an object is a request.
		Client:         client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		LeaderElection: true, LeaderElectionID: program, LeaderElectionNamespace: namespace,
		LeaderElectionReleaseOnCancel: true, LeaseDuration: &lease, RenewDeadline: &renew, RetryPeriod: &retry,
	})
	if err != nil {
		return err
	}
	signals := ctrl.SetupSignalHandler()
	reconciler := &Reconciler{Client: manager.GetClient(), Live: manager.GetAPIReader(), Events: manager.GetEventRecorder(program)}
	if err = reconciler.SetUp(signals, manager); err != nil {
		return err
	}
	return manager.Start(signals)
}
