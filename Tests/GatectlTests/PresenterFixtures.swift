import GateModel

@testable import gatectl

/// A presentation as a presenter gets it.
func presentation(
    _ id: UInt64, _ challenge: Challenge, details: String = "https://example.org/", isDismissible: Bool = true
) -> Presentation {
    Presentation(
        PresentationSummary(
            id: id, purpose: .authorize, kind: challenge.kind, deadline: BootTime(nanoseconds: 60_000_000_000),
            style: .sheet, isDismissible: isDismissible, stage: .claimed,
            asked: Asked(
                uid: 0, pid: 42, program: "firefox", gatedAction: "link.open", title: "Open a web page",
                details: details)),
        cookie: Cookie(bytes: [UInt8](repeating: 7, count: 24)), challenge: challenge)
}

let sum = Challenge.arithmeticChoice(ArithmeticProblem(left: 8, operator: .times, right: 3), choices: [24, 16, 21])
let start = BootTime(nanoseconds: 0)
