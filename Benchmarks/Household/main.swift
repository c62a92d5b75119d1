import Foundation
import GateClient
import GateModel

// Measures how long `lock --all` takes until all devices of a household have confirmed it: the sender is a real gated with its
// gate-household, the broker a real mosquitto, and the others are simulated, each with a connection of its own.
//
// usage: household-load SOCKET FOLDER PORT DEVICES ROUNDS [AUTHORITY [PIDS]]
//   FOLDER      the sender's folder `household`      AUTHORITY  ca.pem: with TLS; -: without
//   PIDS        what is measured, like mosquitto=12,gated=34

let words = CommandLine.arguments
guard words.count >= 6, let port = UInt16(words[3]), let count = Int(words[4]), let rounds = Int(words[5]) else {
    print("usage: household-load SOCKET FOLDER PORT DEVICES ROUNDS [AUTHORITY [PIDS]]")
    exit(64)
}
let authority = words.count > 6 && words[6] != "-" ? words[6] : nil
let programs = words.count > 7 ? MeasuredProgram.all(words[7]) : []

do {
    let load = try LoadRun(
        socket: words[1], folder: words[2], port: port, count: count, rounds: rounds, authority: authority,
        programs: programs)
    try await load.run()
} catch {
    print("household-load: \(error)")
    exit(1)
}
