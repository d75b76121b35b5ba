// Asks one server three times: GET, POST, GET.
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	client := http.Client{Transport: transport}
	for _, method := range []string{"GET", "POST", "GET"} {
		var body io.Reader
		if method == "POST" {
			body = strings.NewReader(`{"a": 1}`)
		}
		request, err := http.NewRequest(method, os.Args[1], body)
		if err != nil {
			panic(err)
		}
		if method == "POST" {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := client.Do(request)
		if err != nil {
			panic(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			panic(err)
		}
		response.Body.Close()
		fmt.Println(response.StatusCode)
	}
}
