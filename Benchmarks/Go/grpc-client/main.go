// A client built on Go's gRPC, which calls gate.v1.Mode/GetMode.
//
// usage: grpc-client SOCKET
//
// For each line on its input, "CALLS-IN-FLIGHT MILLISECONDS", it calls for that long over one connection and prints how
// many calls a second there were. Ends with its input.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"

	"message"
)

// call calls until the time is over, and returns how many answers it got.
func call(connection *grpc.ClientConn, until time.Time) (int, error) {
	answered := 0
	for time.Now().Before(until) {
		err := connection.Invoke(context.Background(), "/gate.v1.Mode/GetMode", &message.Encoded{}, &message.Encoded{})
		if err != nil {
			return answered, err
		}
		answered++
	}
	return answered, nil
}

// rate returns how many calls a second are answered with this many in flight.
func rate(connection *grpc.ClientConn, inFlight int, duration time.Duration) (float64, error) {
	var callers sync.WaitGroup
	answered, failures := make([]int, inFlight), make([]error, inFlight)
	start := time.Now()
	for caller := 0; caller < inFlight; caller++ {
		callers.Add(1)
		go func(caller int) {
			defer callers.Done()
			answered[caller], failures[caller] = call(connection, start.Add(duration))
		}(caller)
	}
	callers.Wait()
	seconds := time.Since(start).Seconds()
	sum := 0
	for caller, err := range failures {
		if err != nil {
			return 0, err
		}
		sum += answered[caller]
	}
	return float64(sum) / seconds, nil
}

func run() error {
	connection, err := grpc.Dial("unix:"+os.Args[1], grpc.WithInsecure(), grpc.WithBlock())
	if err != nil {
		return err
	}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		var inFlight, milliseconds int
		if _, err := fmt.Sscan(input.Text(), &inFlight, &milliseconds); err != nil {
			return err
		}
		perSecond, err := rate(connection, inFlight, time.Duration(milliseconds)*time.Millisecond)
		if err != nil {
			return err
		}
		fmt.Println(perSecond)
	}
	return input.Err()
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: grpc-client SOCKET")
		os.Exit(64)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
