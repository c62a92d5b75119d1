// A server built on Go's gRPC: answers gate.v1.Mode/GetMode with the same bytes each time.
//
// usage: grpc-server SOCKET ANSWER-IN-HEX
//
// Runs until it is killed.
package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"google.golang.org/grpc"

	"message"
)

// get is the function that a generated file would contain.
func get(
	server interface{}, ctx context.Context, decode func(interface{}) error, _ grpc.UnaryServerInterceptor,
) (interface{}, error) {
	if err := decode(&message.Encoded{}); err != nil {
		return nil, err
	}
	return server, nil
}

func serve() error {
	answer, err := message.Argument(2)
	if err != nil {
		return err
	}
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "gate.v1.Mode",
		HandlerType: (*interface{})(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "GetMode", Handler: get}},
	}, answer)
	return server.Serve(listener)
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: grpc-server SOCKET ANSWER-IN-HEX")
		os.Exit(64)
	}
	fmt.Fprintln(os.Stderr, serve())
	os.Exit(1)
}
