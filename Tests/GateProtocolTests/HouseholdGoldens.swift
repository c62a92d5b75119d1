import GateModel
import GateProtocol

extension ProtocTests {
    private static let revisionText = "revision {epoch: 11 number: 22}"
    private static let tablet = String(repeating: "a", count: 32)
    private static let laptop = String(repeating: "b", count: 32)
    private static let tabletID = HouseholdID(tablet)!
    private static let laptopID = HouseholdID(laptop)!

    private static let members = [
        HouseholdMember(id: laptopID, name: "Laptop", publicKey: [1], guardian: "Anna", isRevoked: true),
        HouseholdMember(id: tabletID, name: "Tablet", publicKey: [2], sealingKey: [3]),
    ]
    private static let memberTexts = [
        "id: \"\(laptop)\" name: \"Laptop\" public_key: \"\\001\" guardian: \"Anna\" is_revoked: true",
        "id: \"\(tablet)\" name: \"Tablet\" public_key: \"\\002\" sealing_key: \"\\003\"",
    ]
    private static let report = DeviceReport(
        id: tabletID, name: "Tablet", mode: .parent, parentUntil: WallTime(unixMilliseconds: 7), isOnline: true,
        updated: WallTime(unixMilliseconds: 5), challenge: [9], version: "1.0", policyNumber: 6,
        hasTwin: true)
    private static let reportText =
        "id: \"\(tablet)\" name: \"Tablet\" mode: MODE_PARENT parent_until_unix_milliseconds: 7 is_online: true "
        + "updated_unix_milliseconds: 5 challenge: \"\\011\" version: \"1.0\" policy_number: 6 has_twin: true"

    static let households: [Golden] = [
        Golden(GetHouseholdRequest(), ""),
        Golden(
            GetHouseholdResponse(
                revision: revision,
                state: HouseholdState(
                    household: laptopID, device: tabletID, listNumber: 3, listExpires: WallTime(unixMilliseconds: 8),
                    members: members, challenge: [4], publicKey: [5], policyNumber: 6,
                    policyRefusal: HouseholdPolicyRefusal(number: 7, message: "é"))),
            """
            \(revisionText) household: "\(laptop)" device: "\(tablet)" guardians_number: 3
            guardians_expire_unix_milliseconds: 8
            guardians {id: "\(laptop)" name: "Anna" public_key: "\\001" is_revoked: true} challenge: "\\004"
            members {\(memberTexts[0])} members {\(memberTexts[1])} public_key: "\\005"
            policy_number: 6 refused_policy_number: 7 policy_refusal: "é"
            """),
        Golden(SubmitGuardiansRequest(signedGuardians: [1]), "signed_guardians: \"\\001\""),
        Golden(SubmitGuardiansResponse(revision: revision), revisionText),
        Golden(SubmitPolicyRequest(signedPolicy: [1]), "signed_policy: \"\\001\""),
        Golden(SubmitPolicyResponse(revision: revision, number: 7), "\(revisionText) number: 7"),
        Golden(SubmitCommandRequest(signedCommand: [1]), "signed_command: \"\\001\""),
        Golden(
            SubmitCommandResponse(revision: revision, state: state, signedResult: [1], challenge: [2]),
            "\(reply) signed_result: \"\\001\" challenge: \"\\002\""),
        Golden(CreateDeviceKeyRequest(), ""),
        Golden(CreateDeviceKeyRequest(replaces: true), "replaces: true"),
        Golden(
            CreateDeviceKeyResponse(revision: revision, publicKey: [1], sealingKey: [2]),
            "\(revisionText) public_key: \"\\001\" sealing_key: \"\\002\""),
        Golden(SendCommandRequest(devices: nil, order: .lock), "verb: VERB_LOCK"),
        Golden(
            SendCommandRequest(devices: [tabletID], order: .extend(.seconds(1)), grant: Grant.Proof(bytes: [1])),
            "devices: \"\(tablet)\" verb: VERB_EXTEND duration_milliseconds: 1000 grant_proof: \"\\001\""),
        Golden(
            SendCommandRequest(
                devices: [tabletID, laptopID], order: .override(.parent, .seconds(1), reason: "é")),
            """
            devices: "\(tablet)" devices: "\(laptop)" verb: VERB_OVERRIDE mode: MODE_PARENT
            duration_milliseconds: 1000 reason: "é"
            """),
        Golden(
            SendCommandResponse(revision: revision, command: 6, deviceCount: 2),
            "\(revisionText) command: 6 device_count: 2"),
        Golden(GetResultsRequest(command: 6, waitsForAll: true), "command: 6 waits_for_all: true"),
        Golden(
            GetResultsResponse(
                results: CommandAnswers(
                    answers: [
                        DeviceAnswer(
                            member: HouseholdMember(id: tabletID, name: "Tablet", publicKey: []), isDone: true,
                            check: "", message: "", mode: .child),
                        DeviceAnswer(
                            member: HouseholdMember(id: laptopID, name: "Laptop", publicKey: []), isDone: false,
                            check: "challenge", message: "Again.", mode: .parent),
                    ], unanswered: members)),
            """
            results {device: "\(tablet)" name: "Tablet" is_done: true mode: MODE_CHILD}
            results {device: "\(laptop)" name: "Laptop" check: "challenge" message: "Again." mode: MODE_PARENT}
            unanswered {\(memberTexts[0])} unanswered {\(memberTexts[1])}
            """),
        Golden(CollectCommandsRequest(), ""),
        Golden(
            CollectCommandsResponse(commands: [
                OutgoingCommand(device: nil, signed: [1]), OutgoingCommand(device: tabletID, signed: [2]),
            ]), "commands {signed_command: \"\\001\"} commands {device: \"\(tablet)\" signed_command: \"\\002\"}"),
        Golden(
            ReportDevicesRequest(devices: [report], isAll: true, hasBroker: true),
            "devices {\(reportText)} is_all: true has_broker: true"),
        Golden(ReportDevicesResponse(), ""),
        Golden(SubmitResultRequest(signedResult: [1]), "signed_result: \"\\001\""),
        Golden(SubmitResultResponse(), ""),
        Golden(ObeyHomeAssistantRequest(order: .lock), "verb: VERB_LOCK"),
        Golden(ObeyHomeAssistantRequest(order: .extend(nil)), "verb: VERB_EXTEND"),
        Golden(
            ObeyHomeAssistantRequest(order: .extend(.seconds(1))), "verb: VERB_EXTEND duration_milliseconds: 1000"),
        Golden(ObeyHomeAssistantRequest(order: .answer(6, isApproved: true)), "verb: VERB_APPROVE request: 6"),
        Golden(ObeyHomeAssistantRequest(order: .answer(6, isApproved: false)), "verb: VERB_DENY request: 6"),
        Golden(
            ObeyHomeAssistantRequest(order: .answer(6, .yes(.time(.seconds(1800))))),
            "verb: VERB_APPROVE request: 6 choice: \"30m\""),
        Golden(
            ObeyHomeAssistantRequest(order: .answer(6, .notUntilTomorrow)),
            "verb: VERB_DENY request: 6 choice: \"until-tomorrow\""),
        Golden(ObeyHomeAssistantResponse(revision: revision, state: state), reply),
        Golden(ListDevicesRequest(afterChange: 4), "after_change: 4"),
        Golden(
            ListDevicesResponse(
                devices: HouseholdDevices(
                    change: 4,
                    devices: [
                        HouseholdDevice(member: members[1], report: report, isThisDevice: false),
                        HouseholdDevice(member: members[0], report: nil, isThisDevice: true),
                    ], hasBroker: true)),
            """
            change: 4 devices {member {\(memberTexts[1])} report {\(reportText)}}
            devices {member {\(memberTexts[0])} is_this_device: true} has_broker: true
            """),
        Golden(CollectRequestsRequest(afterChange: 4), "after_change: 4"),
        Golden(
            CollectRequestsResponse(
                requests: OutgoingRequests(
                    change: 5,
                    requests: [
                        OutgoingRequest(
                            number: 6, kind: "confirm", askedAt: WallTime(unixMilliseconds: 7), left: .seconds(1),
                            sealed: [SealedRequest(device: laptopID, sealed: [8])]),
                        OutgoingRequest(
                            number: 9, kind: "confirm", askedAt: WallTime(unixMilliseconds: 7), left: .seconds(1),
                            sealed: [],
                            clear: ClearWords(
                                purpose: .authorize, asked: PresentationContext(uid: 0, pid: 0, program: "shop"))),
                    ])),
            """
            change: 5 requests {number: 6 kind: "confirm" asked_unix_milliseconds: 7 left_milliseconds: 1000
            sealed {device: "\(laptop)" sealed: "\\010"}}
            requests {number: 9 kind: "confirm" asked_unix_milliseconds: 7 left_milliseconds: 1000
            purpose: PURPOSE_AUTHORIZE asked {program: "shop"}}
            """),
        Golden(
            SubmitRequestsRequest(
                requests: [
                    ArrivedRequest(
                        name: RequestName(tabletID, 6), sealed: [8], left: .seconds(1),
                        askedAt: WallTime(unixMilliseconds: 7))
                ], isAll: true),
            """
            requests {device: "\(tablet)" number: 6 sealed: "\\010" left_milliseconds: 1000 asked_unix_milliseconds: 7}
            is_all: true
            """),
        Golden(SubmitRequestsResponse(), ""),
        Golden(ListRequestsRequest(), ""),
        Golden(
            ListRequestsResponse(requests: [
                HouseholdRequest(
                    device: tabletID, id: 1, purpose: .authorize,
                    asked: PresentationContext(uid: 0, pid: 0, program: "shop", device: "Tablet"),
                    askedAt: WallTime(unixMilliseconds: 7))
            ]),
            """
            requests {number: 1 device: "\(tablet)" purpose: PURPOSE_AUTHORIZE asked {program: "shop" device: "Tablet"}
            asked_unix_milliseconds: 7}
            """),
        Golden(
            AnswerRequestRequest(number: 1, isApproved: true, grant: Grant.Proof(bytes: [1])),
            "number: 1 is_approved: true grant_proof: \"\\001\""),
        Golden(AnswerRequestResponse(revision: revision, command: 6), "\(revisionText) command: 6"),
        Golden(CollectAnswersRequest(afterChange: 4), "after_change: 4"),
        Golden(
            CollectAnswersResponse(
                answers: OutgoingAnswers(
                    change: 5,
                    answers: [OutgoingAnswer(name: RequestName(tabletID, 6), signed: [7], left: .seconds(1))])),
            """
            change: 5 answers {device: "\(tablet)" number: 6 signed_command: "\\007" left_milliseconds: 1000}
            """),
        Golden(CollectReceiptsRequest(afterChange: 4), "after_change: 4"),
        Golden(
            CollectReceiptsResponse(
                receipts: OutgoingReceipts(
                    change: 5,
                    receipts: [OutgoingReceipt(number: 1, signed: [7]), OutgoingReceipt(number: 2, signed: [])])),
            "change: 5 receipts {number: 1 signed_receipt: \"\\007\"} receipts {number: 2}"),
        Golden(SubmitReceiptRequest(signedReceipt: [7]), "signed_receipt: \"\\007\""),
        Golden(SubmitReceiptResponse(revision: revision), revisionText),
        Golden(CollectUsageRequest(afterChange: 4), "after_change: 4"),
        Golden(
            CollectUsageResponse(usage: OutgoingUsage(change: 5, signed: [7])),
            "change: 5 signed_usage: \"\\007\""),
        Golden(SubmitUsageRequest(signedUsage: [7]), "signed_usage: \"\\007\""),
        Golden(SubmitUsageResponse(revision: revision), revisionText),
    ]
}
