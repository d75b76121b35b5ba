package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// Object is an object of the API.
type Object = unstructured.Unstructured

// A server that fails is asked less and less often.
const soonest, latest = 50 * time.Millisecond, 2 * time.Second

var errWatchEnded = errors.New("the watch ended")

// Mirror keeps the objects of one kind, by list and watch, and tells of changes.
type Mirror struct {
	api     dynamic.ResourceInterface
	polls   time.Duration
	changed func(key string, object *Object)

	lock   sync.RWMutex
	byKey  map[string]*Object
	filled chan struct{}
	once   sync.Once
}

func newMirror(api dynamic.ResourceInterface, polls time.Duration, changed func(string, *Object)) *Mirror {
	return &Mirror{api: api, polls: polls, changed: changed, byKey: map[string]*Object{}, filled: make(chan struct{})}
}

// Get returns an object, nil when there is none.
func (m *Mirror) Get(key string) *Object {
	m.lock.RLock()
	defer m.lock.RUnlock()
	return m.byKey[key]
}

// All returns all objects.
func (m *Mirror) All() []*Object {
	m.lock.RLock()
	defer m.lock.RUnlock()
	all := make([]*Object, 0, len(m.byKey))
	for _, object := range m.byKey {
		all = append(all, object)
	}
	return all
}

// Run follows until the context ends: list, watch from there; after a broken watch list again.
func (m *Mirror) Run(ctx context.Context) {
	wait := soonest
	for ctx.Err() == nil {
		version, err := m.list(ctx)
		if err == nil {
			wait = soonest
			m.once.Do(func() { close(m.filled) })
			if m.polls > 0 {
				pause(ctx, m.polls)
				continue
			}
			for err == nil || errors.Is(err, errWatchEnded) {
				version, err = m.follow(ctx, version)
				if ctx.Err() != nil {
					return
				}
			}
		}
		fmt.Println("follow:", err)
		pause(ctx, wait)
		wait = min(2*wait, latest)
	}
}

// list replaces what is known by what there is, and returns its version.
func (m *Mirror) list(ctx context.Context) (string, error) {
	listed, version, next := map[string]*Object{}, "", ""
	for {
		page, err := m.api.List(ctx, meta.ListOptions{Limit: 50, Continue: next})
		if err != nil {
			return "", err
		}
		for i := range page.Items {
			listed[key(&page.Items[i])] = &page.Items[i]
		}
		version, next = page.GetResourceVersion(), page.GetContinue()
		if next == "" || mistake == "first-page" {
			break
		}
	}
	select {
	case <-m.filled:
		if mistake == "no-relist" {
			return version, nil
		}
	default:
	}
	m.lock.Lock()
	old := m.byKey
	m.byKey = listed
	m.lock.Unlock()
	for key, object := range listed {
		if before := old[key]; before == nil || before.GetResourceVersion() != object.GetResourceVersion() {
			m.changed(key, object)
		}
	}
	for key := range old {
		if listed[key] == nil {
			m.changed(key, nil)
		}
	}
	return version, nil
}

// follow watches from a version on; it returns the last version seen, and errWatchEnded when the server closed the watch in peace.
func (m *Mirror) follow(ctx context.Context, version string) (string, error) {
	events, err := m.api.Watch(ctx, meta.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
	if err != nil {
		return "", err
	}
	defer events.Stop()
	began := time.Now()
	for event := range events.ResultChan() {
		object, ok := event.Object.(*Object)
		if event.Type == watch.Error || !ok {
			return "", fmt.Errorf("the watch fails: %v", event.Object)
		}
		version = object.GetResourceVersion()
		if event.Type == watch.Bookmark {
			continue
		}
		m.lock.Lock()
		if event.Type == watch.Deleted {
			delete(m.byKey, key(object))
			object, event.Object = nil, object
		} else {
			m.byKey[key(object)] = object
		}
		m.lock.Unlock()
		if object == nil {
			m.changed(key(event.Object.(*Object)), nil)
		} else {
			m.changed(key(object), object)
		}
	}
	if time.Since(began) < 50*time.Millisecond {
		pause(ctx, 50*time.Millisecond)
	}
	return version, errWatchEnded
}

func key(object *Object) string {
	if object.GetNamespace() == "" {
		return object.GetName()
	}
	return object.GetNamespace() + "/" + object.GetName()
}

func pause(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}
