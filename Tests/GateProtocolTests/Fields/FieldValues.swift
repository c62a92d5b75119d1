/// The values that `FieldPlan` sets fields to. The tables have those fields that don't take any value, or don't keep it as it is; their
/// keys are names as in `FieldException`, or the name alone for the fields of all messages.
enum FieldValues {
    private static let texts: [String: [String]] = [
        "AnswerAskRequest.choice": ["today", "30m"],
        "Ask.choice": ["this-site", "30m"],
        "Ask.choices": ["once", "30m"],
        "AskMoreTimeRequest.choice": ["today", "30m"],
        // The notes in a request are written with the app of the request.
        "app": ["org.example.draw", "org.example.draw"],
        "born": ["2015-02-28", "2016-02-29"],
        "cleared": ["driver[1]/driver-name", "driver[2]"],
        "currency": ["EUR", "USD"],
        "date_format": ["%d.%m.%Y", "%Y-%m-%d"],
        "device": ids,
        "devices": ids,
        "digest": [String(repeating: "0123456789abcdef", count: 4), String(repeating: "a", count: 64)],
        // The list of guardians is not read. It is written from the members that are guardians, with these names.
        "GetHouseholdResponse.guardians.name": ["guardian 0", "guardian 1"],
        "household": ids,
        "id": ids,
        "more_time": ["15m", "today"],
        "newest": ["1.2.3", "4.5.6"],
        "path": ["driver[1]/driver-name", "driver[2]"],
        "ObeyHomeAssistantRequest.choice": ["30m", "1h"],
        "period": ["P1M", "P2W"],
        "seen": ["1.2.3", "4.5.6"],
        "UsedTime.day": ["2015-02-28", "2016-02-29"],
        "version": ["1.2.3", "4.5.6"],
    ]
    private static let ids = [String(repeating: "0a", count: 16), String(repeating: "1b", count: 16)]

    private static let numbers: [String: UInt64] = [
        // ABORTED. A code that Gate does not use becomes UNKNOWN.
        "ErrorDetail.code": 10,
        // A Wednesday from 1:00 to 2:00.
        "begin_minute": 60,
        "day_start_minute": 240,
        "end_minute": 120,
        "weekday": 3,
    ]

    private static let enumValues: [String: Set<String>] = [
        "ChallengeForAge.challenge": challenges,
        "Need.challenge": challenges,
        // Any other status would contradict `is_active`, which is true.
        "EntitlementSource.status": ["STATUS_SUBSCRIBED"],
        // The other values are written as `presents_itself`, or not at all.
        "presenting": ["PRESENTING_ELSEWHERE_IF_POSSIBLE"],
    ]

    /// The kinds of presentation that ask a question.
    private static let challenges = Set(
        [
            "ARITHMETIC_CHOICE", "ARITHMETIC_ENTRY", "SHAPES", "QUIZ", "CONFIRM", "BIRTHDATE", "PASSCODE", "TOTP",
            "HOLD", "SWIPE",
        ].map { "PRESENTATION_KIND_\($0)" })

    /// The texts of the first and the second element; `nil`: any.
    static func texts(of names: [String]) -> [String]? { names.lazy.compactMap { texts[$0] }.first }

    /// `nil`: any.
    static func number(of names: [String]) -> UInt64? { names.lazy.compactMap { numbers[$0] }.first }

    /// The values that an enum is set to; `nil`: all.
    static func enumValues(of names: [String]) -> Set<String>? { names.lazy.compactMap { enumValues[$0] }.first }
}
