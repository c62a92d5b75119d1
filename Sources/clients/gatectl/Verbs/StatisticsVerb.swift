import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct StatisticsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "statistics", abstract: "Show what gated has counted since its start (administrators).",
        discussion: """
            With --openmetrics as Prometheus and its node_exporter read it: write it to a file of the textfile collector, under \
            another name first, and rename it. No label holds a user or anything that a person has typed.
            """)

    @Flag(name: .customLong("openmetrics"), help: "As OpenMetrics text.")
    var isOpenMetrics = false

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if isOpenMetrics, connection.json { throw ValidationError("Give either --json or --openmetrics.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        let statistics = try await session.gate.call(Methods.Control.statistics, GetStatisticsRequest())
        if isOpenMetrics {
            Output.write(MetricsText(statistics).openMetrics, to: 1)
        } else {
            try session.output.result(statistics, MetricsText(statistics).forPeople)
        }
    }
}
