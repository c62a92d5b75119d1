import CMosquitto
import Foundation
import GateClient
import GateModel

/// One household of one size, locked several times.
struct LoadRun {
    private static let processCount = 2
    private static let patience = Duration.seconds(300)

    let socket: String
    let count: Int
    let rounds: Int
    let authority: String?
    let programs: [MeasuredProgram]

    private let household: LoadedHousehold
    private let processes: [DeviceProcess]

    /// Starts the devices. They are copies of this process, which may have no threads yet.
    init(
        socket: String, folder: String, port: UInt16, count: Int, rounds: Int, authority: String?,
        programs: [MeasuredProgram]
    ) throws {
        (self.socket, self.count, self.rounds) = (socket, count, rounds)
        (self.authority, self.programs) = (authority, programs)
        signal(SIGPIPE, SIG_IGN)
        mosquitto_lib_init()
        let household = try LoadedHousehold(
            secret: try String(contentsOfFile: "\(folder)/household.key", encoding: .utf8),
            sender: Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/list.jws"))), count: count, port: port)
        self.household = household
        processes = try (0..<Self.processCount).map { part in
            try DeviceProcess { try household.devices(part, of: Self.processCount, authority: authority) }
        }
    }

    func run() async throws {
        for process in processes { process.listen() }
        let gate = GateClient(
            GateClientOptions(socketPath: socket, trustedServers: .anyone, programName: "household-load"))
        let before = programs.map(\.cost)
        try await gate.household.submitList(household.signedList)
        try await wait("all are connected") { processes.map(\.now.subscribed).reduce(0, +) == count }
        try await wait("the sender sees all") {
            try await Self.others(gate).count(where: \.isOnline) == count
        }
        let connected = programs.map(\.cost)
        var times: [Duration] = []
        for round in 1...rounds {
            for process in processes { process.send(.open) }
            try await wait("all are open") { processes.map(\.now.open).reduce(0, +) == count }
            try await wait("the sender sees all open") {
                try await Self.others(gate).count { $0.mode == .parent } == count
            }
            times.append(try await lock(gate, round: round))
        }
        let after = programs.map(\.cost)
        for process in processes { process.send(.stop) }
        tell(times.sorted(), before, connected, after)
        await gate.close()
    }

    /// The other devices, as the sender has heard of them.
    private static func others(_ gate: GateClient) async throws -> [DeviceReport] {
        try await gate.household.devices().devices.filter { !$0.isThisDevice }.compactMap(\.report)
    }

    private func lock(_ gate: GateClient, round: Int) async throws -> Duration {
        let start = ContinuousClock.now
        let number = try await gate.household.send(.lock, to: nil)
        let answers = try await gate.household.answers(to: number, waiting: Self.patience)
        let time = ContinuousClock.now - start
        let done = answers.answers.count(where: \.isDone)
        guard done == count else {
            throw LoadFailure(
                "of \(count) devices \(done) confirm lock \(round); \(answers.unanswered.count) have not answered")
        }
        try await wait("the locks are counted") { processes.map(\.now.locks).reduce(0, +) >= count * round }
        guard processes.allSatisfy({ $0.now.open == 0 }) else { throw LoadFailure("a confirmed lock was not obeyed") }
        return time
    }

    private func wait(
        _ what: String, until condition: () async throws -> Bool
    ) async throws {
        let start = ContinuousClock.now
        while try await !condition() {
            if processes.contains(where: \.now.hasFailed) { throw LoadFailure("simulated devices have failed") }
            guard ContinuousClock.now - start < Self.patience else { throw LoadFailure("it never comes that \(what)") }
            try await Task.sleep(for: .milliseconds(count < 1000 ? 20 : 200))
        }
    }

    /// One row of the table, and a line that can be compared with a target.
    private func tell(
        _ times: [Duration], _ before: [MeasuredProgram.Cost], _ connected: [MeasuredProgram.Cost],
        _ after: [MeasuredProgram.Cost]
    ) {
        func milliseconds(_ duration: Duration) -> String {
            String(format: "%.0f", Double(duration.clampedNanoseconds) / 1e6)
        }
        let p99 = times[min(times.count - 1, times.count * 99 / 100)]
        var cells = [
            "\(count)", authority == nil ? "no" : "yes", milliseconds(times[times.count / 2]), milliseconds(p99),
        ]
        for index in programs.indices {
            let bytes = max(0, connected[index].residentBytes - before[index].residentBytes) / count
            let processor = (after[index].processorSeconds - connected[index].processorSeconds) / Double(count * rounds)
            cells.append(
                "\(programs[index].name): \(String(format: "%.1f", Double(bytes) / 1024)) KiB, \(String(format: "%.0f", processor * 1e6)) µs"
            )
        }
        print("| " + cells.joined(separator: " | ") + " |")
        print("p99 \(milliseconds(p99))")
    }
}
