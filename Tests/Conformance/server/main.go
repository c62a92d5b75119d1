// A server of another project (containerd's Go ttrpc) for our client: gate.v1.Mode with fixed answers.
//
// usage: server SOCKET
//
// Get: parent mode at revision 1.7. Lock: PERMISSION_DENIED. Toggle: FAILED_PRECONDITION with an ErrorDetail. Extend:
// waits as long as the caller does. Runs until it is killed.
package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"github.com/golang/protobuf/ptypes/any"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gate "gate/v1"
)

func get(_ context.Context, unmarshal func(interface{}) error) (interface{}, error) {
	if err := unmarshal(&gate.GetModeRequest{}); err != nil {
		return nil, err
	}
	return &gate.GetModeResponse{
		Revision: &gate.Revision{Epoch: 1, Number: 7},
		State:    &gate.ModeState{Mode: gate.ModeState_MODE_PARENT, DeadlineBoottimeNanoseconds: 900000000000},
	}, nil
}

func toggle(_ context.Context, unmarshal func(interface{}) error) (interface{}, error) {
	request := gate.ToggleRequest{}
	if err := unmarshal(&request); err != nil {
		return nil, err
	}
	detail, err := proto.Marshal(&gate.ErrorDetail{Reason: gate.Reason_REASON_VERIFYING})
	if err != nil {
		return nil, err
	}
	return nil, status.ErrorProto(&spb.Status{
		Code:    int32(codes.FailedPrecondition),
		Message: fmt.Sprintf("presents itself: %v", request.PresentsItself),
		Details: []*any.Any{{TypeUrl: "type.googleapis.com/gate.v1.ErrorDetail", Value: detail}},
	})
}

func lock(context.Context, func(interface{}) error) (interface{}, error) {
	return nil, status.Error(codes.PermissionDenied, "this door has no lock for you")
}

func extend(ctx context.Context, _ func(interface{}) error) (interface{}, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: server SOCKET")
		os.Exit(64)
	}
	listener, err := net.Listen("unix", os.Args[1])
	if err == nil {
		var server *ttrpc.Server
		if server, err = ttrpc.NewServer(); err == nil {
			server.Register("gate.v1.Mode", map[string]ttrpc.Method{
				"GetMode": get, "Toggle": toggle, "Lock": lock, "Extend": extend,
			})
			err = server.Serve(context.Background(), listener)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
