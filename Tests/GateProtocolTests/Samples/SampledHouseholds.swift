import GateModel
import GateProtocol

// MARK: Parts

extension SplitMix {
    mutating func householdID() -> HouseholdID { HouseholdID(using: &self) }

    mutating func guardianName() -> GuardianName { GuardianName(device: householdID(), name: text()) }

    private mutating func member() -> HouseholdMember {
        HouseholdMember(
            id: householdID(), name: text(), publicKey: bytes(), sealingKey: bytes(),
            guardian: optional { "g\($0.text())" },
            isRevoked: bool())
    }

    private mutating func report() -> DeviceReport {
        DeviceReport(
            id: householdID(), name: text(), mode: any(of: Mode.self),
            parentUntil: optional { WallTime(unixMilliseconds: .random(in: 1 ... .max, using: &$0)) },
            isOnline: bool(), updated: wallTime(), challenge: bytes(), version: text(),
            policyNumber: optional { .random(in: 1 ... .max, using: &$0) }, hasTwin: bool())
    }

    fileprivate mutating func reports() -> [DeviceReport] { array { $0.report() } }

    fileprivate mutating func devices() -> HouseholdDevices {
        HouseholdDevices(
            change: integer(),
            devices: array {
                HouseholdDevice(
                    member: $0.member(), report: $0.optional { $0.report() }, isThisDevice: $0.bool())
            }, hasBroker: bool())
    }

    fileprivate mutating func householdState() -> HouseholdState {
        let number: UInt64 = integer()
        return HouseholdState(
            household: householdID(), device: householdID(), listNumber: number,
            listExpires: number == 0 ? nil : wallTime(), members: array { $0.member() }, challenge: bytes(),
            publicKey: bytes(), policyNumber: optional { .random(in: 1 ... .max, using: &$0) },
            policyRefusal: optional {
                HouseholdPolicyRefusal(number: .random(in: 1 ... .max, using: &$0), message: $0.text())
            })
    }

    fileprivate mutating func order() -> GuardianOrder {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: .lock
        case 1: .extend(optional { $0.duration() })
        default: .override(any(of: Mode.self), optional { $0.duration() }, reason: text())
        }
    }

    fileprivate mutating func answers() -> CommandAnswers {
        CommandAnswers(
            answers: array {
                DeviceAnswer(
                    member: HouseholdMember(id: $0.householdID(), name: $0.text(), publicKey: []), isDone: $0.bool(),
                    check: $0.text(), message: $0.text(), mode: $0.any(of: Mode.self))
            }, unanswered: array { $0.member() })
    }
}

// MARK: Household

extension GetHouseholdResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), state: random.householdState())
    }
}
extension SubmitGuardiansRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(signedGuardians: random.bytes()) }
}
extension SubmitPolicyRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(signedPolicy: random.bytes()) }
}
extension SubmitPolicyResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), number: random.integer())
    }
}
extension SubmitCommandRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(signedCommand: random.bytes()) }
}
extension SubmitCommandResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(), state: random.modeState(), signedResult: random.bytes(),
            challenge: random.bytes())
    }
}
extension CreateDeviceKeyRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(replaces: random.bool()) }
}
extension CreateDeviceKeyResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), publicKey: random.bytes(), sealingKey: random.bytes())
    }
}
extension SendCommandRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let devices = random.array { $0.householdID() }
        return Self(
            devices: devices.isEmpty ? nil : devices, order: random.order(),
            grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}
extension SendCommandResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), command: random.integer(), deviceCount: random.number())
    }
}
extension GetResultsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(command: random.integer(), waitsForAll: random.bool())
    }
}
extension GetResultsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(results: random.answers()) }
}
extension CollectCommandsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            commands: random.array {
                OutgoingCommand(device: $0.optional { $0.householdID() }, signed: $0.bytes())
            })
    }
}
extension ReportDevicesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(devices: random.reports(), isAll: random.bool(), hasBroker: random.bool())
    }
}
extension SubmitResultRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(signedResult: random.bytes()) }
}
extension ObeyHomeAssistantRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        switch random.number() % 3 {
        case 0: Self(order: .lock)
        case 1: Self(order: .extend(random.optional { .milliseconds(Int64($0.number()) + 1) }))
        case _:
            Self(
                order: .answer(
                    UInt64(random.number()) + 1,
                    random.bool()
                        ? .yes(random.bool() ? .once : .time(.seconds(1 + random.number() % 100_000)))
                        : random.bool() ? .notUntilTomorrow : .no))
        }
    }
}
extension ListDevicesResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(devices: random.devices()) }
}
extension CollectRequestsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            requests: OutgoingRequests(
                change: random.integer(),
                requests: random.array {
                    OutgoingRequest(
                        number: $0.integer(), kind: $0.text(), askedAt: $0.wallTime(), left: $0.duration(),
                        sealed: $0.array { SealedRequest(device: $0.householdID(), sealed: $0.bytes()) },
                        clear: $0.optional {
                            ClearWords(purpose: $0.any(of: Presentation.Purpose.self), asked: $0.asked())
                        })
                }))
    }
}
extension SubmitRequestsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            requests: random.array {
                ArrivedRequest(
                    name: RequestName($0.householdID(), $0.integer()), sealed: $0.bytes(), left: $0.duration(),
                    askedAt: $0.wallTime())
            }, isAll: random.bool())
    }
}
extension ListRequestsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            requests: random.array {
                HouseholdRequest(
                    device: $0.householdID(), id: $0.integer(), purpose: $0.any(of: Presentation.Purpose.self),
                    asked: $0.asked(), askedAt: $0.wallTime())
            })
    }
}
extension AnswerRequestRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            number: random.integer(), isApproved: random.bool(),
            grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}
extension AnswerRequestResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), command: random.integer())
    }
}
extension CollectReceiptsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            receipts: OutgoingReceipts(
                change: random.integer(),
                receipts: random.array { OutgoingReceipt(number: $0.integer(), signed: $0.bytes()) }))
    }
}
extension CollectAnswersResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            answers: OutgoingAnswers(
                change: random.integer(),
                answers: random.array {
                    OutgoingAnswer(
                        name: RequestName($0.householdID(), $0.integer()), signed: $0.bytes(), left: $0.duration())
                }))
    }
}
extension SubmitReceiptRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(signedReceipt: random.bytes()) }
}
extension CollectUsageResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(usage: OutgoingUsage(change: random.integer(), signed: random.bytes()))
    }
}
extension SubmitUsageRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(signedUsage: random.bytes()) }
}
