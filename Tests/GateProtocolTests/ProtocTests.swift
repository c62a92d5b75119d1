import CGateProtocol
import Foundation
import GateModel
import GateProtocol
import Testing

/// Our bytes against those of protoc itself, which is a build dependency.
@Suite("Comparison with protoc")
struct ProtocTests {
    /// A message as protoc's text format has it, and as a Swift value.
    struct Golden: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let check: @Sendable (_ bytes: [UInt8]) throws -> Void

        init<Message: WireMessage>(_ message: Message, _ text: String) {
            let name = String(cString: Message.descriptor.pointee.name)
            testDescription = name
            self.text = text
            check = { bytes in
                let decoded = try Message(decoding: bytes)
                #expect(decoded == message)
                #expect(message.encoded() == bytes)
            }
        }
    }

    static let revision = Revision(epoch: 11, number: 22)
    static let state = ModeState(mode: .verifying, deadline: BootTime(nanoseconds: 33))
    static let reply = "revision {epoch: 11 number: 22} state {mode: MODE_VERIFYING deadline_boottime_nanoseconds: 33}"
    static let goldens =
        services + authorizations + secrets + presentations + contents + signIns + ages + entitlements + claims
        + paywalls + forms + responses + releaseNotes + households

    private static let services: [Golden] = [
        Golden(GetModeRequest(), ""),
        Golden(GetModeResponse(revision: revision, state: state), reply),
        Golden(ToggleRequest(presenting: .here), "presents_itself: true"),
        Golden(ToggleResponse(revision: revision, state: state), reply),
        Golden(
            ToggleResponse(revision: revision, state: state, presentation: presentation(.confirm)),
            "\(reply) presentation {\(presentationText) confirm {}}"),
        Golden(
            ExtendResponse(revision: revision, state: state, presentation: presentation(.passcode)),
            "\(reply) presentation {\(presentationText) passcode {}}"),
        Golden(CancelVerifyingRequest(), ""),
        Golden(CancelVerifyingResponse(revision: revision, state: state), reply),
        Golden(LockRequest(), ""),
        Golden(LockResponse(revision: revision, state: state), reply),
        Golden(
            ExtendRequest(duration: .seconds(300), presenting: .here),
            "duration_milliseconds: 300000 presents_itself: true"),
        Golden(
            OverrideModeRequest(mode: .parent, duration: .milliseconds(1), reason: "hé"),
            "mode: MODE_PARENT duration_milliseconds: 1 reason: \"hé\""),
        Golden(OverrideModeResponse(revision: revision, state: state), reply),
        Golden(WatchRequest(topics: [.mode], after: revision), "topics: TOPIC_MODE after {epoch: 11 number: 22}"),
        Golden(
            WatchRequest(topics: [.mode], after: Revision(epoch: 0, number: 0)), "topics: TOPIC_MODE after {}"),
        Golden(
            WatchRequest(topics: [.presentations, .mode]), "topics: TOPIC_MODE topics: TOPIC_PRESENTATIONS"),
        Golden(
            WatchRequest(topics: [.entitlements, .signIn]), "topics: TOPIC_SIGN_IN topics: TOPIC_ENTITLEMENTS"),
        Golden(
            WatchResponse(
                firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: nil, signIn: signedIn,
                entitlements: entitlementsState),
            """
            first_number: 5 revision {epoch: 11 number: 22} sign_in {\(signedInText)}
            entitlements {\(entitlementsText)}
            """),
        Golden(WatchRequest(topics: [.forms]), "topics: TOPIC_FORMS"),
        Golden(WatchRequest(topics: [.schedules]), "topics: TOPIC_SCHEDULES"),
        Golden(WatchRequest(topics: [.usage]), "topics: TOPIC_USAGE"),
        Golden(WatchRequest(topics: [.ageRanges]), "topics: TOPIC_AGE"),
        Golden(
            WatchResponse(
                firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: nil,
                ageRanges: AgeState(
                    settings: AgeSettings(isOn: true),
                    waiting: [AgeApp(person: "mia", app: "chat", choice: .ask, isWaiting: true)])),
            """
            first_number: 5 revision {epoch: 11 number: 22}
            age {is_on: true gates: 13 gates: 16 gates: 18 waiting {person: "mia" app: "chat" choice: AGE_CHOICE_ASK \
            is_waiting: true}}
            """),
        Golden(
            WatchResponse(
                firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: nil,
                usage: [
                    UsedTime(
                        person: "mia", uid: 1002, subject: .gatedAction("a.b"),
                        day: CivilDate(WallTime(unixMilliseconds: 0)), used: .seconds(2), left: nil, isToday: true,
                        isRunning: false)
                ]),
            """
            first_number: 5 revision {epoch: 11 number: 22}
            usage {times {person: "mia" uid: 1002 gated_action: "a.b" day: "1970-01-01" used_milliseconds: 2000 \
            is_today: true}}
            """),
        Golden(
            WatchResponse(
                firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: nil,
                schedules: [
                    ScheduleState(name: "a", isOpen: true, until: WallTime(unixMilliseconds: 7)),
                    ScheduleState(name: "b", isOpen: false, until: nil),
                ]),
            """
            first_number: 5 revision {epoch: 11 number: 22}
            schedules {schedules {name: "a" is_open: true until_unix_milliseconds: 7} schedules {name: "b"}}
            """),
        Golden(
            WatchResponse(
                firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: nil,
                forms: formSummaries),
            "first_number: 5 revision {epoch: 11 number: 22} forms {\(formSummariesText)}"),
        Golden(
            WatchResponse(
                firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: nil, signIn: .closed,
                entitlements: .closed),
            "first_number: 5 revision {epoch: 11 number: 22} sign_in {} entitlements {}"),
        Golden(
            WatchResponse(
                firstNumber: 5, revision: revision, isSnapshot: true, mode: state, presentations: [summary]),
            """
            first_number: 5 revision {epoch: 11 number: 22} is_snapshot: true
            mode {mode: MODE_VERIFYING deadline_boottime_nanoseconds: 33}
            presentations {presentations {\(summaryText)}}
            """),
        Golden(
            WatchResponse(firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: []),
            "first_number: 5 revision {epoch: 11 number: 22} presentations {}"),
        Golden(
            WatchResponse(firstNumber: 5, revision: revision, isSnapshot: false, mode: nil, presentations: nil),
            "first_number: 5 revision {epoch: 11 number: 22}"),
        Golden(
            AuditRequest(after: revision, follow: true, last: 3), "after {epoch: 11 number: 22} follow: true last: 3"),
        Golden(
            AuditResponse(
                revision: revision,
                entries: [
                    AuditEntry(
                        number: 22, time: WallTime(unixMilliseconds: 1000), kind: .leaseExpired, actor: nil,
                        mode: .child,
                        detail: ""),
                    AuditEntry(
                        number: 22, time: WallTime(unixMilliseconds: -1), kind: .overridden,
                        actor: AuditEntry.Actor(uid: 1000, pid: 4242, broker: Broker(uid: 997, program: "powerd")),
                        mode: .parent, detail: "why"),
                ]),
            """
            revision {epoch: 11 number: 22}
            entries {number: 22 time_unix_milliseconds: 1000 kind: AUDIT_KIND_LEASE_EXPIRED mode: MODE_CHILD}
            entries {number: 22 time_unix_milliseconds: -1 kind: AUDIT_KIND_OVERRIDDEN
                     by {uid: 1000 pid: 4242 broker {uid: 997 program: "powerd"}} mode: MODE_PARENT detail: "why"}
            """),
        Golden(PingRequest(echo: [1, 2]), "echo: \"\\001\\002\""),
        Golden(PingResponse(echo: [3], revision: revision), "echo: \"\\003\" revision {epoch: 11 number: 22}"),
        Golden(CancelRequest(streamID: 4_294_967_295), "stream_id: 4294967295"),
        Golden(CancelResponse(), ""),
        Golden(GetVersionRequest(), ""),
        Golden(
            GetVersionResponse(version: "1", protocol: "2", sqlite: "3", capabilities: ["a", "b"]),
            "version: \"1\" wire_protocol: \"2\" sqlite: \"3\" capabilities: \"a\" capabilities: \"b\""),
        Golden(GetStatisticsRequest(), ""),
        Golden(
            DaemonStatistics(
                uptime: .milliseconds(1), connections: 2, watchers: 3, transitions: 5, commits: 6,
                conflated: 7, refused: 8, anonymousBytes: 9, presenters: 10,
                callsOfMethods: [StatisticsCount(label: "gate.v1.Mode/GetMode", count: 11)],
                closed: [StatisticsCount(label: "peer-left", count: 12), StatisticsCount(label: "failed", count: 0)],
                commitMicroseconds: StatisticsHistogram(counts: [0, 13, 1], sum: 14),
                pushMicroseconds: StatisticsHistogram(counts: [15], sum: 16), commandsPerCommit: StatisticsHistogram(),
                commandsWaiting: 17),
            """
            uptime_milliseconds: 1 connections: 2 watchers: 3 transitions: 5 commits: 6 conflated: 7 refused: 8
            anonymous_bytes: 9
            presenters: 10
            methods {label: "gate.v1.Mode/GetMode" count: 11}
            closed {label: "peer-left" count: 12} closed {label: "failed"}
            commit_microseconds {counts: 0 counts: 13 counts: 1 sum: 14} push_microseconds {counts: 15 sum: 16}
            commands_waiting: 17
            """),
        Golden(BackupRequest(backupID: 1, offset: 2), "backup_id: 1 offset: 2"),
        Golden(
            BackupResponse(backupID: 1, piece: [65, 0], byteCount: 3), "backup_id: 1 piece: \"A\\000\" byte_count: 3"),
        Golden(
            RestoreRequest(restoreID: 1, piece: [66], isLast: true, checkOnly: true),
            "restore_id: 1 piece: \"B\" is_last: true check_only: true"),
        Golden(
            RestoreResponse(
                restoreID: 1, revision: revision,
                contents: BackupSummary(
                    version: "0.9.0", madeAt: WallTime(unixMilliseconds: 2), accountCount: 3, claimCount: 4,
                    responseCount: 5,
                    hasPasscode: true, hasTOTP: true), leftOutChoices: ["a", "b"]),
            """
            restore_id: 1 revision {epoch: 11 number: 22}
            contents {version: "0.9.0" made_at_unix_milliseconds: 2 accounts: 3 claims: 4 responses: 5 has_passcode: true
            has_totp: true} left_out_choices: "a" left_out_choices: "b"
            """),
        Golden(ReloadRequest(), ""),
        Golden(ReloadResponse(inForce: ["a", "", "b"]), "in_force: \"a\" in_force: \"\" in_force: \"b\""),
        Golden(
            SetGateRequest(
                gatedAction: "a", requires: "{mode: parent}", keep: .seconds(2), title: "b", checkOnly: true),
            "gated_action: \"a\" requirement: \"{mode: parent}\" keep_milliseconds: 2000 title: \"b\" check_only: true"),
        Golden(
            SetGateRequest(gatedAction: "a", requires: "b", moreTime: [.time(.seconds(900)), .today]),
            "gated_action: \"a\" requirement: \"b\" more_time: \"15m\" more_time: \"today\""),
        Golden(
            SetGateRequest(gatedAction: "a", requires: "b", moreTime: []),
            "gated_action: \"a\" requirement: \"b\" more_time: \"none\""),
        Golden(
            SetGateResponse(
                before: nil,
                after: ListedGate(
                    gatedAction: GatedActionSummary(
                        name: "a", title: "b", requirement: "c", keep: nil,
                        origin: PolicyOrigin(layer: .choices, file: "d")),
                    conditions: [ListedCondition(.parentMode)],
                    strength: GateStrength(guessedPerMillion: 7, programPasses: true, isWithoutQuestion: true)),
                revision: revision),
            """
            after {
              gated_action {name: "a" title: "b" requirement: "c" origin {layer: POLICY_LAYER_CHOICES file: "d"}}
              conditions {kind: KIND_PARENT_MODE}
              strength {guessed_per_million: 7 program_passes: true is_without_question: true}
            }
            revision {epoch: 11 number: 22}
            """),
        Golden(
            SetTimeRuleRequest(kind: .schedule, name: "a", notation: "{mon: 9:00-10:00}", checkOnly: true),
            "kind: TIME_RULE_KIND_SCHEDULE name: \"a\" notation: \"{mon: 9:00-10:00}\" check_only: true"),
        Golden(
            SetTimeRuleResponse(
                before: nil,
                after: TimeRule(
                    kind: .allowance, name: "a", notation: "b", origin: PolicyOrigin(layer: .choices, file: "c"),
                    gatedActions: ["d", "e"]),
                revision: revision),
            """
            after {
              kind: TIME_RULE_KIND_ALLOWANCE name: "a" notation: "b" origin {layer: POLICY_LAYER_CHOICES file: "c"}
              gated_actions: "d" gated_actions: "e"
            }
            revision {epoch: 11 number: 22}
            """),
        Golden(GetPolicyRequest(), ""),
        Golden(GetPolicyResponse(inForce: ["a", "b"]), "in_force: \"a\" in_force: \"b\""),
        Golden(
            GetPolicyResponse(
                inForce: [],
                policy: PolicySummary(
                    files: ["f"],
                    modeChallenges: [ChallengeForAge(fromAge: 9, challenge: .quiz, isForGrownUps: true)],
                    lease: .seconds(1), maximumLease: .seconds(2), answerTime: .seconds(3),
                    lockout: Configuration.LockoutRule(
                        after: 4, duration: .seconds(5), factor: 6, maximum: .seconds(7)),
                    signIn: SignInRule(isRequired: true, session: .seconds(8), maximumSession: .seconds(9)),
                    roles: [
                        RoleHolders(role: .administrator, users: ["a"], groups: [], userCount: 9),
                        RoleHolders(role: .household, users: [], groups: ["b"]),
                    ], browser: "c",
                    origins: [
                        PolicySettingOrigin(
                            setting: "mode.lease", origin: PolicyOrigin(layer: .device, file: "d", line: 10))
                    ], mistakes: ["e"])),
            """
            policy {
              files: "f" mode_challenges {from_age: 9 challenge: PRESENTATION_KIND_QUIZ is_for_grown_ups: true}
              lease_milliseconds: 1000 maximum_lease_milliseconds: 2000 answer_milliseconds: 3000
              lockout {after: 4 duration_milliseconds: 5000 factor: 6 maximum_milliseconds: 7000}
              is_sign_in_required: true session_milliseconds: 8000 maximum_session_milliseconds: 9000
              roles {role: ROLE_ADMINISTRATOR users: "a" user_count: 9}
              roles {role: ROLE_HOUSEHOLD groups: "b" group_count: 1} browser: "c"
              origins {setting: "mode.lease" origin {layer: POLICY_LAYER_DEVICE file: "d" line: 10}} mistakes: "e"
            }
            """),
        Golden(RecoverRequest(), ""),
        Golden(
            RecoverResponse(revision: revision, quarantinedFile: "gate.sqlite.damaged"),
            "revision {epoch: 11 number: 22} set_aside: \"gate.sqlite.damaged\""),
        Golden(DescribeRequest(), ""),
        Golden(DescribeResponse(fileDescriptorSet: [1]), "file_descriptor_set: \"\\001\""),
    ]

    @Test("protoc writes the same bytes for the same message", arguments: goldens)
    func golden(golden: Golden) throws {
        let bytes = try protoc(["--encode=\(golden.testDescription)"], input: Array(golden.text.utf8))
        try golden.check(bytes)
    }

    @Test("every message is compared with protoc")
    func everyMessageIsGolden() {
        let tested = Set(Self.goldens.map(\.testDescription))
        for type in sampledMessages {
            #expect(tested.contains(String(cString: type.descriptor.pointee.name)))
        }
    }

    @Test("each enum value has its number in the .proto file", arguments: AuditEntry.Kind.allCases)
    func auditKinds(kind: AuditEntry.Kind) throws {
        // An unrecognized kind has no name.
        let name = kind == .unrecognized ? "unspecified" : "\(kind)"
        let words = name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        let bytes = try protoc(["--encode=gate.v1.AuditEntry"], input: Array("kind: AUDIT_KIND_\(words)".utf8))
        let entry = AuditEntry(
            number: 0, time: WallTime(unixMilliseconds: 0), kind: kind, actor: nil, mode: .child, detail: "")
        let response = MessageBytes { $0.bytes(2, bytes) }.array
        #expect(try AuditResponse(decoding: response).entries == [entry])
    }

    @Test("each reason has its number in the .proto file", arguments: GateError.Reason.allCases)
    func reasons(reason: GateError.Reason) throws {
        let words = "\(reason)".map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        let bytes = try protoc(
            ["--encode=gate.v1.ErrorDetail"],
            input: Array("reason: REASON_\(words) retry_after_milliseconds: 1500 code: 10".utf8))
        #expect(GateError(.aborted, reason, "", retryAfter: .milliseconds(1500)).detailBytes == bytes)
    }

    @Test("the descriptors in the generated code equal those that protoc reads from the .proto files")
    func descriptorSet() throws {
        #expect(try protoc(["--descriptor_set_out=/dev/stdout"], input: []) == ServiceCatalog.fileDescriptorSet)
    }

    /// Runs protoc over our .proto files.
    private func protoc(_ arguments: [String], input: [UInt8]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = Repository.root
        process.arguments =
            ["protoc", "-Iproto"] + arguments
            + [
                "age", "authorization", "common", "control", "entitlements", "grants", "household", "mode", "people",
                "presentations", "providers",
                "questionnaires", "release_notes", "secrets", "signin", "usage", "watch",
            ].map { "proto/gate/v1/\($0).proto" }
        let inputPipe = Pipe()
        let outputPipe = Pipe()
        process.standardInput = inputPipe
        process.standardOutput = outputPipe
        try process.run()
        try inputPipe.fileHandleForWriting.write(contentsOf: input)
        try inputPipe.fileHandleForWriting.close()
        let output = try outputPipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "protoc \(arguments)")
        return [UInt8](output)
    }
}

/// The repository that these tests stand in.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
