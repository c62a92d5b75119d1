import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct StatisticsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "statistics", abstract: localized("Show what gated has counted since its start (administrators)."),
        discussion: """
            With --openmetrics, the output is for Prometheus and its node_exporter: write it to a file of the textfile \
            collector under another name first, and rename it. No label has a user or anything that a person has \
            typed.
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
