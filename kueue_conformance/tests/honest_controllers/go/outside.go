package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

// Verdict is what the outside system says.
type Verdict struct {
	State               string           `json:"state"`
	Message             string           `json:"message"`
	RequeueAfterSeconds *float64         `json:"requeueAfterSeconds"`
	PodSetUpdates       []map[string]any `json:"podSetUpdates"`
}

// Delay returns the seconds of a Retry; a number that is none is an error.
func (v Verdict) Delay() (int64, bool, error) {
	if v.RequeueAfterSeconds == nil {
		return 0, false, nil
	}
	seconds := *v.RequeueAfterSeconds
	if seconds < 0 || seconds > math.MaxInt32 || seconds != math.Trunc(seconds) {
		return 0, false, fmt.Errorf("%v is no delay", seconds)
	}
	return int64(seconds), true, nil
}

// Outside is the budget service, which decides, and the license service, which lends.
type Outside struct {
	verdicts, claims string
	labelled         bool

	lock sync.Mutex
	ids  map[string]string // of random claims
}

func newOutside(labelled bool) *Outside {
	return &Outside{
		verdicts: os.Getenv("KUEUE_CONFORMANCE_VERDICT_URL"), claims: os.Getenv("KUEUE_CONFORMANCE_CLAIMS_URL"), labelled: labelled, ids: map[string]string{},
	}
}

var states = map[string]string{"ready": ready, "retry": retry, "rejected": rejected}

// Decide returns the verdict on a check of a Workload.
func (o *Outside) Decide(ctx context.Context, workload *Object, check string) (Verdict, error) {
	if o.labelled {
		return Verdict{State: or(states[workload.GetLabels()["example.com/verdict"]], pending)}, nil
	}
	var verdict Verdict
	asked := url.Values{"namespace": {workload.GetNamespace()}, "workload": {workload.GetName()}, "check": {check}}
	_, err := call(ctx, http.MethodGet, o.verdicts+"?"+asked.Encode(), nil, &verdict)
	if err != nil && mistake == "outage-rejects" {
		return Verdict{State: rejected, Message: "the budget service does not answer"}, nil
	}
	return verdict, err
}

type claim struct {
	ID        string `json:"id"`
	Namespace string `json:"namespace"`
	Workload  string `json:"workload"`
}

// Claim takes the license of a Workload; taking it twice is taking it once.
func (o *Outside) Claim(ctx context.Context, namespace, name string) error {
	if o.claims == "" {
		return nil
	}
	id := namespace + "." + name
	if mistake == "random-claims" {
		o.lock.Lock()
		defer o.lock.Unlock()
		if o.ids[id] != "" {
			return nil
		}
		o.ids[id] = rand.Text()
		id = o.ids[id]
	}
	_, err := call(ctx, http.MethodPost, o.claims, claim{id, namespace, name}, nil)
	return err
}

// Release gives back what is held for a Workload.
func (o *Outside) Release(ctx context.Context, namespace, name string) error {
	if mistake == "random-claims" {
		o.lock.Lock()
		defer o.lock.Unlock()
		id := o.ids[namespace+"."+name]
		if id == "" {
			return nil
		}
		delete(o.ids, namespace+"."+name)
		return o.drop(ctx, id)
	}
	held, err := o.Held(ctx, url.Values{"namespace": {namespace}, "workload": {name}})
	for _, claim := range held {
		if err == nil {
			err = o.drop(ctx, claim.ID)
		}
	}
	return err
}

// Held returns the claims that a query finds.
func (o *Outside) Held(ctx context.Context, about url.Values) ([]claim, error) {
	if o.claims == "" {
		return nil, nil
	}
	var held struct{ Items []claim }
	_, err := call(ctx, http.MethodGet, o.claims+"?"+about.Encode(), nil, &held)
	return held.Items, err
}

func (o *Outside) drop(ctx context.Context, id string) error {
	status, err := call(ctx, http.MethodDelete, o.claims+"/"+url.PathEscape(id), nil, nil)
	if status == http.StatusNotFound {
		return nil
	}
	return err
}

// call sends a request with a JSON body and reads a JSON answer.
func call(ctx context.Context, method, address string, body, answer any) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	data, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusMultipleChoices {
		return response.StatusCode, fmt.Errorf("%s %s: %s", method, address, response.Status)
	}
	if answer == nil {
		return response.StatusCode, nil
	}
	return response.StatusCode, json.NewDecoder(response.Body).Decode(answer)
}
