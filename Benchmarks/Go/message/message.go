// Package message has the messages that the Go peers send and receive: bytes that were encoded beforehand. This leaves
// out the cost of encoding, in their favour.
package message

import (
	"encoding/hex"
	"os"
)

// Encoded is a message for Go's protobuf as well as for gogo's. Reading one ignores its fields.
type Encoded struct{ bytes []byte }

func (message *Encoded) Reset()                      {}
func (message *Encoded) String() string              { return hex.EncodeToString(message.bytes) }
func (message *Encoded) ProtoMessage()               {}
func (message *Encoded) Marshal() ([]byte, error)    { return message.bytes, nil }
func (message *Encoded) Unmarshal(data []byte) error { return nil }

// Argument is the message whose bytes an argument of the program gives, as hexadecimal digits.
func Argument(index int) (*Encoded, error) {
	bytes, err := hex.DecodeString(os.Args[index])
	return &Encoded{bytes}, err
}
