// Command honest is a check controller on client-go's dynamic client, written from the guide alone. DESIGN names one of five designs, all right;
// MISTAKE names one honest mistake to make.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Design says how a controller is built; each is right.
type Design struct {
	Polls        time.Duration // lists again and again in place of watching
	Write        string        // put, merge, apply or json
	PerNamespace bool          // a worker for each namespace in place of a few for all
	Labelled     bool          // a label of the Workload decides, nobody is asked
	Leased       bool          // waits for a Lease before it begins
	SlowStart    time.Duration
}

var designs = map[string]Design{
	"queue":      {Write: "put"},
	"batch":      {Write: "merge", Polls: 700 * time.Millisecond},
	"namespaces": {Write: "apply", PerNamespace: true},
	"labelled":   {Write: "put", Labelled: true},
	"leased":     {Write: "json", Leased: true, SlowStart: time.Second},
}

var mistake = os.Getenv("MISTAKE")

func main() {
	design, known := designs[or(os.Getenv("DESIGN"), "queue")]
	if !known {
		fail(fmt.Errorf("no such design"))
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	fail(err)
	config.QPS, config.Burst, config.UserAgent = 200, 400, "honest-go/1"
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	time.Sleep(design.SlowStart)
	client, err := dynamic.NewForConfig(config)
	fail(err)
	controller := New(client, or(os.Getenv("KUEUE_CONFORMANCE_CONTROLLER_NAME"), "example.com/honest"), design)
	if design.Leased {
		lead(ctx, config, controller.Run)
	} else {
		controller.Run(ctx)
	}
}

// lead runs a function while this process holds the Lease.
func lead(ctx context.Context, config *rest.Config, run func(context.Context)) {
	identity := fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  meta.ObjectMeta{Namespace: "default", Name: "honest-go"},
			Client:     kubernetes.NewForConfigOrDie(config).CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		},
		LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 300 * time.Millisecond, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: run,
			OnStoppedLeading: func() {
				if ctx.Err() == nil {
					fail(fmt.Errorf("the Lease is lost"))
				}
			},
		},
	})
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "honest:", err)
		os.Exit(1)
	}
}
