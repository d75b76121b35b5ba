package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/workqueue"
)

const (
	poll    = 300 * time.Millisecond
	workers = 4
	sweep   = 2 * time.Second
)

// Controller answers the checks of one controllerName.
type Controller struct {
	name    string
	design  Design
	outside *Outside

	checksAPI, workloadsAPI    dynamic.NamespaceableResourceInterface
	checks, budgets, workloads *Mirror
	checkWork                  workqueue.TypedRateLimitingInterface[string]

	lock     sync.Mutex
	everOurs map[string]bool                                         // checks that were ever ours
	queue    map[string]workqueue.TypedRateLimitingInterface[string] // of Workloads, one for each namespace or one for all
	ctx      context.Context
}

// New returns a controller that follows nothing yet.
func New(client dynamic.Interface, name string, design Design) *Controller {
	kueue := schema.GroupVersion{Group: "kueue.x-k8s.io", Version: "v1beta2"}
	c := &Controller{
		name: name, design: design, outside: newOutside(design.Labelled),
		checksAPI: client.Resource(kueue.WithResource("admissionchecks")), workloadsAPI: client.Resource(kueue.WithResource("workloads")),
		checkWork: newQueue(), everOurs: map[string]bool{}, queue: map[string]workqueue.TypedRateLimitingInterface[string]{},
	}
	budgets := client.Resource(schema.GroupVersionResource{Group: parametersGroup, Version: "v1", Resource: "budgets"})
	c.checks = newMirror(c.checksAPI, design.Polls, c.checkChanged)
	c.budgets = newMirror(budgets, design.Polls, c.budgetChanged)
	c.workloads = newMirror(c.workloadsAPI, design.Polls, func(key string, _ *Object) { c.enqueue(key) })
	return c
}

func newQueue() workqueue.TypedRateLimitingInterface[string] {
	return workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](soonest, latest))
}

// Run works until the context ends.
func (c *Controller) Run(ctx context.Context) {
	c.ctx = ctx
	for _, mirror := range []*Mirror{c.budgets, c.checks, c.workloads} {
		go mirror.Run(ctx)
		select {
		case <-mirror.filled:
		case <-ctx.Done():
			return
		}
	}
	go work(ctx, c.checkWork, func(ctx context.Context, name string) (bool, error) { return false, c.activate(ctx, name) })
	for ctx.Err() == nil {
		c.recover(ctx)
		pause(ctx, sweep)
	}
}

// recover looks at every Workload that something is held for: its end may have come while this program was away.
func (c *Controller) recover(ctx context.Context) {
	if mistake == "random-claims" {
		return
	}
	held, err := c.outside.Held(ctx, url.Values{})
	if err != nil {
		fmt.Println("recover:", err)
	}
	for _, claim := range held {
		c.enqueue(claim.Namespace + "/" + claim.Workload)
	}
}

func (c *Controller) checkChanged(name string, check *Object) {
	if check != nil && c.isOurs(check) {
		c.lock.Lock()
		c.everOurs[name] = true
		c.lock.Unlock()
	}
	c.checkWork.Add(name)
	for _, workload := range c.workloads.All() {
		c.enqueue(key(workload))
	}
}

func (c *Controller) budgetChanged(string, *Object) {
	if mistake == "parameters-unwatched" {
		return
	}
	for _, check := range c.checks.All() {
		c.checkWork.Add(check.GetName())
	}
}

// enqueue has a Workload looked at; the first of a queue starts its workers.
func (c *Controller) enqueue(key string) {
	lane, many := "", workers
	if c.design.PerNamespace {
		lane, _ = split(key)
		many = 1
	}
	if mistake == "waits-in-worker" {
		many = 1
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	queue := c.queue[lane]
	if queue == nil {
		queue = newQueue()
		c.queue[lane] = queue
		for range many {
			go func() {
				// Nothing is decided before everything is known.
				<-c.workloads.filled
				work(c.ctx, queue, c.judge)
			}()
		}
	}
	queue.Add(key)
}

// work does what a queue says; what fails is done again later.
func work(ctx context.Context, queue workqueue.TypedRateLimitingInterface[string], do func(context.Context, string) (bool, error)) {
	context.AfterFunc(ctx, queue.ShutDown)
	for {
		key, over := queue.Get()
		if over {
			return
		}
		again, err := do(ctx, key)
		switch {
		case err != nil:
			fmt.Printf("%s: %v\n", key, err)
			queue.AddRateLimited(key)
		case again:
			queue.Forget(key)
			queue.AddAfter(key, poll)
		default:
			queue.Forget(key)
		}
		queue.Done(key)
	}
}

func split(key string) (namespace, name string) {
	namespace, name, _ = strings.Cut(key, "/")
	return namespace, name
}
