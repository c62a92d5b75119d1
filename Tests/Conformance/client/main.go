// A client of another project (containerd's Go ttrpc) for our server.
//
// usage: client SOCKET
//
// Prints a line for each check that passes, and exits with 1 at the first that fails.
package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gate "gate/v1"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: client SOCKET")
		os.Exit(64)
	}
	connection, err := connect(os.Args[1])
	check("connect", err)
	client := ttrpc.NewClient(connection)
	defer client.Close()

	version := gate.GetVersionResponse{}
	check("Control/GetVersion", call(client, "Control", "GetVersion", &gate.GetVersionRequest{}, &version))
	expect("the protocol is ttrpc 1.2", version.WireProtocol == "ttrpc 1.2", version.WireProtocol)

	mode := gate.GetModeResponse{}
	check("Mode/GetMode", call(client, "Mode", "GetMode", &gate.GetModeRequest{}, &mode))
	expect("a child is in charge", mode.State.GetMode() == gate.ModeState_MODE_CHILD, mode.String())
	expect("there is a revision", mode.Revision.GetNumber() > 0, mode.String())

	challenge(client)

	mode = gate.GetModeResponse{}
	check("Mode/GetMode", call(client, "Mode", "GetMode", &gate.GetModeRequest{}, &mode))
	expect("a child is in charge again", mode.State.GetMode() == gate.ModeState_MODE_CHILD, mode.String())

	err = call(client, "Mode", "Nope", &gate.GetModeRequest{}, &gate.GetModeResponse{})
	expectCode("an unknown method", err, codes.Unimplemented)
	err = call(client, "Nowhere", "Get", &gate.GetModeRequest{}, &gate.GetModeResponse{})
	expectCode("an unknown service", err, codes.Unimplemented)
	tooLong := &gate.PingRequest{Echo: make([]byte, 1025)}
	err = call(client, "Control", "Ping", tooLong, &gate.PingResponse{})
	expectCode("a ping of 1,025 bytes", err, codes.InvalidArgument)
	// This client sends a message that is too large; the server discards it and keeps the connection.
	huge := &gate.PingRequest{Echo: make([]byte, 5<<20)}
	err = call(client, "Control", "Ping", huge, &gate.PingResponse{})
	expectCode("a frame of 5 MiB", err, codes.ResourceExhausted)

	manyPings(client)
}

// Opens a challenge, answers it wrong, and checks the error with all its details.
func challenge(client *ttrpc.Client) {
	for action, wanted := range map[string]gate.CheckResponse_Outcome{
		"link.open": gate.CheckResponse_OUTCOME_PERSON_NEEDED, "rocket.launch": gate.CheckResponse_OUTCOME_DENIED,
	} {
		checked := gate.CheckResponse{}
		check("Authorization/Check", call(client, "Authorization", "Check", &gate.CheckRequest{GatedAction: action}, &checked))
		expect("the outlook of "+action, checked.Outcome == wanted, checked.String())
	}

	toggled := gate.ToggleResponse{}
	check("Mode/Toggle", call(client, "Mode", "Toggle", &gate.ToggleRequest{PresentsItself: true}, &toggled))
	expect("the device is verifying", toggled.State.GetMode() == gate.ModeState_MODE_VERIFYING, toggled.String())
	presentation := toggled.GetPresentation()
	expect("there is a cookie", len(presentation.GetCookie()) > 0, toggled.String())
	question := presentation.GetArithmeticChoice()
	expect("there are three choices", len(question.GetChoices()) == 3, toggled.String())

	request := &gate.CompleteRequest{
		Cookie: presentation.Cookie,
		Answer: &gate.CompleteRequest_Text{Text: wrongAnswer(question)},
	}
	err := call(client, "Presentations", "Complete", request, &gate.CompleteResponse{})
	expectCode("a wrong answer", err, codes.FailedPrecondition)
	refusal := status.Convert(err).Proto()
	expect("the refusal has a message", refusal.GetMessage() != "", refusal.String())
	expect("the refusal has one detail", len(refusal.GetDetails()) == 1, refusal.String())
	detail := gate.ErrorDetail{}
	typeURL := refusal.Details[0].TypeUrl
	expect("its type is ErrorDetail", typeURL == "type.googleapis.com/gate.v1.ErrorDetail", typeURL)
	check("the detail", proto.Unmarshal(refusal.Details[0].Value, &detail))
	expect("its reason is the wrong answer", detail.Reason == gate.Reason_REASON_WRONG_ANSWER, detail.String())

	err = call(client, "Presentations", "Complete", request, &gate.CompleteResponse{})
	expectCode("a second answer", err, codes.Aborted)
}

func wrongAnswer(question *gate.ArithmeticChoice) string {
	var right uint32
	switch question.Operation {
	case gate.Operator_OPERATOR_PLUS:
		right = question.Left + question.Right
	case gate.Operator_OPERATOR_MINUS:
		right = question.Left - question.Right
	case gate.Operator_OPERATOR_TIMES:
		right = question.Left * question.Right
	case gate.Operator_OPERATOR_DIVIDED_BY:
		right = question.Left / question.Right
	}
	for _, choice := range question.Choices {
		if choice != right {
			return strconv.Itoa(int(choice))
		}
	}
	return "0"
}

// Each of many calls at the same time gets its own answer.
func manyPings(client *ttrpc.Client) {
	var group sync.WaitGroup
	failures := make(chan error, 100)
	for number := 0; number < cap(failures); number++ {
		group.Add(1)
		go func(echo []byte) {
			defer group.Done()
			response := gate.PingResponse{}
			if err := call(client, "Control", "Ping", &gate.PingRequest{Echo: echo}, &response); err != nil {
				failures <- err
			} else if !bytes.Equal(response.Echo, echo) {
				failures <- fmt.Errorf("%v came back as %v", echo, response.Echo)
			}
		}([]byte{byte(number)})
	}
	group.Wait()
	close(failures)
	check("100 pings at the same time", <-failures)
}

func call(client *ttrpc.Client, service, method string, request, response interface{}) error {
	limited, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return client.Call(limited, "gate.v1."+service, method, request, response)
}

// Waits, since the server may be starting just now.
func connect(path string) (net.Conn, error) {
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		connection, err := net.Dial("unix", path)
		if err == nil || time.Now().After(deadline) {
			return connection, err
		}
	}
}

func check(what string, err error) {
	expect(what, err == nil, fmt.Sprint(err))
}

func expectCode(what string, err error, code codes.Code) {
	expect(fmt.Sprintf("%s is %v", what, code), status.Code(err) == code, fmt.Sprint(err))
}

func expect(what string, holds bool, instead string) {
	if !holds {
		fmt.Printf("FAILED: %s: %s\n", what, instead)
		os.Exit(1)
	}
	fmt.Println("passed:", what)
}
