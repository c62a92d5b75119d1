// A server built on containerd's Go ttrpc: answers gate.v1.Mode/GetMode with the same bytes each time.
//
// usage: ttrpc-server SOCKET ANSWER-IN-HEX
//
// Runs until it is killed.
package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"github.com/containerd/ttrpc"

	"message"
)

func serve() error {
	answer, err := message.Argument(2)
	if err != nil {
		return err
	}
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		return err
	}
	server, err := ttrpc.NewServer()
	if err != nil {
		return err
	}
	get := func(_ context.Context, unmarshal func(interface{}) error) (interface{}, error) {
		if err := unmarshal(&message.Encoded{}); err != nil {
			return nil, err
		}
		return answer, nil
	}
	server.Register("gate.v1.Mode", map[string]ttrpc.Method{"GetMode": get})
	return server.Serve(context.Background(), listener)
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ttrpc-server SOCKET ANSWER-IN-HEX")
		os.Exit(64)
	}
	fmt.Fprintln(os.Stderr, serve())
	os.Exit(1)
}
