package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const pending, ready, retry, rejected = "Pending", "Ready", "Retry", "Rejected"

// Verdict is what the outside system says of a Workload; any other state than Ready, Retry and Rejected means: ask again.
type Verdict struct {
	State               string `json:"state"`
	Message             string `json:"message"`
	RequeueAfterSeconds *int64 `json:"requeueAfterSeconds"`
	PodSetUpdates       []any  `json:"podSetUpdates"`
}

// Endpoint is the outside system.
type Endpoint struct{ URL string }

// Ask returns its verdict; trouble is an error, never a verdict.
func (e *Endpoint) Ask(ctx context.Context, workload *unstructured.Unstructured, check string) (Verdict, error) {
	asked := url.Values{"namespace": {workload.GetNamespace()}, "workload": {workload.GetName()}, "check": {check}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL+"?"+asked.Encode(), nil)
	if err != nil {
		return Verdict{}, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return Verdict{}, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return Verdict{}, fmt.Errorf("%s answers %s", e.URL, answer.Status)
	}
	var verdict Verdict
	return verdict, json.NewDecoder(answer.Body).Decode(&verdict)
}
