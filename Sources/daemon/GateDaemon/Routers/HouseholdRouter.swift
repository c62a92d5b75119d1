import GateCore
import GateGuardians
import GateModel
import GateProtocol

/// The methods of `gate.v1.Household`. Some take what is signed: lists, policies and commands, which count only if
/// their signatures are right. The others exchange reports, questions and receipts with the household's other devices.
struct HouseholdRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let hub: HouseholdHub
    let policy: PolicyReload
    let verifications: Verifications

    func addMethods(to router: inout Router) {
        addGuardiansWords(to: &router)
        addKeyAndCommands(to: &router)
        addPolicy(to: &router)
        addCarrying(to: &router)
        addRequests(to: &router)
        addReceipts(to: &router)
        addUsage(to: &router)
    }

    private func addGuardiansWords(to router: inout Router) {
        router.on(Methods.Household.get) { _, call in
            pipeline.submit(.household(.openHousehold), for: call) { settled in
                guard case .challenge(let challenge) = settled.reply else { return nil }
                return settled.state.householdState(challenge, refusal: policy.refusal).map {
                    GetHouseholdResponse(revision: settled.revision, state: $0)
                }
            }
        }
        router.onCarrier(Methods.Household.submitGuardians) { request, call in
            guard let key = pipeline.durable.configuration.household?.publicKey else { return call.fail(.noHousehold) }
            let list: SignedHouseholdList
            do throws(GuardianError) {
                list = SignedHouseholdList(
                    try HouseholdList(signed: request.signedGuardians, by: key), signed: request.signedGuardians,
                    verifiedBy: key)
            } catch {
                return call.fail(.badGuardian(error.check, error.message))
            }
            pipeline.submit(.household(.applyList(list)), for: call) { SubmitGuardiansResponse(revision: $0.revision) }
        }
        router.onCarrier(Methods.Household.submitCommand) { request, call in
            let state = pipeline.durable
            guard state.configuration.household != nil, state.records.household.deviceKey != nil else {
                return call.fail(.noHousehold)
            }
            let command: SignedGuardianCommand
            do throws(GuardianError) {
                command = try state.guardianCommand(request.signedCommand)
            } catch {
                return call.fail(.badGuardian(error.check, error.message))
            }
            pipeline.submit(.household(.execute(command)), for: call) { settled in
                guard case .obeyed(let obeyed) = settled.reply,
                    let key = settled.state.records.household.deviceKey.flatMap({ SigningKey($0.secret) })
                else { return nil }
                return SubmitCommandResponse(
                    revision: settled.revision, state: settled.modeState,
                    signedResult: SignedText.sign(obeyed.result.payload, as: .result, with: key),
                    challenge: obeyed.challenge)
            }
        }
    }

    private func addPolicy(to router: inout Router) {
        router.onCarrier(Methods.Household.submitPolicy) { request, call in
            guard let key = pipeline.durable.configuration.household?.publicKey else { return call.fail(.noHousehold) }
            let signed: SignedHouseholdPolicy
            do throws(GuardianError) {
                signed = SignedHouseholdPolicy(
                    try HouseholdPolicy(signed: request.signedPolicy, by: key), signed: request.signedPolicy,
                    verifiedBy: key)
            } catch {
                return call.fail(.badGuardian(error.check, error.message))
            }
            policy.take(signed, as: call.peer) { [hub] result in
                switch result {
                case .success(let (_, revision)):
                    hub.listChanged()
                    call.answer(SubmitPolicyResponse(revision: revision, number: signed.policy.number))
                case .failure(let error): call.fail(error)
                }
            }
        }
    }

    private func addKeyAndCommands(to router: inout Router) {
        router.on(Methods.Household.createDeviceKey) { request, call in
            if let refusal = call.refusalToNonAdministrator(to: "make the key of this device") {
                return call.fail(refusal)
            }
            let key = SigningKey()
            let made = DeviceKey(publicKey: key.publicKey, secret: key.secret)
            pipeline.submit(.household(.takeDeviceKey(made, replaces: request.replaces)), for: call) {
                let key = $0.state.records.household.deviceKey
                return CreateDeviceKeyResponse(
                    revision: $0.revision, publicKey: key?.publicKey ?? [],
                    sealingKey: key.flatMap { SealingKey($0.secret) }?.publicKey ?? [])
            }
        }
        router.on(Methods.Household.sendCommand) { request, call in
            if let refusal = hub.refusalToSend { return call.fail(refusal) }
            let (order, devices) = (request.order, request.devices)
            pipeline.submit(.household(.sendCommand(order, to: devices, grant: request.grant)), for: call) {
                [hub] settled in
                guard case .sending(let id) = settled.reply,
                    let (number, count) = hub.send(
                        order, to: devices, as: id, from: call.peer.connection, by: settled.state)
                else { return nil }
                return SendCommandResponse(revision: settled.revision, command: number, deviceCount: count)
            }
        }
        router.on(Methods.Household.getResults) { [hub] request, call in hub.results(request, call) }
        router.on(Methods.Household.listDevices) { [hub] request, call in hub.list(call, after: request.afterChange) }
    }

    private func addCarrying(to router: inout Router) {
        router.on(Methods.Household.obeyHomeAssistant) { request, call in
            pipeline.submit(.household(.obeyHomeAssistant(request.order)), for: call) {
                ObeyHomeAssistantResponse(revision: $0.revision, state: $0.modeState)
            }
        }
        router.onCarrier(Methods.Household.collectCommands) { [hub] _, call in
            hub.collect(call)
        }
        router.onCarrier(Methods.Household.reportDevices) { [hub] request, call throws(GateError) in
            try hub.report(request, from: call.peer.connection)
            if request.hasBroker != (pipeline.head.brokersConnection == call.peer.connection) {
                pipeline.report(.household(.reachBroker(request.hasBroker)), as: call.peer)
            }
            call.answer(ReportDevicesResponse())
        }
        router.onCarrier(Methods.Household.submitResult) { [hub] request, call throws(GateError) in
            if let (result, ask) = try hub.answered(request.signedResult, by: pipeline.durable) {
                pipeline.report(.household(.endAnswer(ask, command: result.command, result.refusal)), as: call.peer)
            }
            call.answer(SubmitResultResponse())
        }
    }
}

extension HouseholdRouter {
    private func addRequests(to router: inout Router) {
        router.onCarrier(Methods.Household.collectRequests) { [hub] request, call in
            hub.collectRequests(call, after: request.afterChange)
        }
        router.onCarrier(Methods.Household.submitRequests) { request, call in
            let news = pipeline.durable.news(of: request)
            pipeline.submit(.household(.receiveRequests(news)), for: call) { _ in SubmitRequestsResponse() }
        }
        router.on(Methods.Household.listRequests) { _, call in
            let state = pipeline.durable
            if let refusal = state.refusalToListRequests(call.peer) { return call.fail(refusal) }
            call.answer(
                ListRequestsResponse(requests: state.requestsOfOthers(at: pipeline.clock.bootTime())))
        }
        router.on(Methods.Household.answerRequest) { request, call in
            if let refusal = hub.refusalToSend { return call.fail(refusal) }
            let command = Command.household(
                .answerRequest(request.number, isApproved: request.isApproved, grant: request.grant))
            pipeline.submit(command, for: call) { [hub] settled in
                guard case .answering(let answer) = settled.reply,
                    let number = hub.send(
                        answer, as: pipeline.newHouseholdID(), from: call.peer.connection, by: settled.state)
                else { return nil }
                return AnswerRequestResponse(revision: settled.revision, command: number)
            }
        }
    }
}

extension HouseholdRouter {
    private func addReceipts(to router: inout Router) {
        router.onCarrier(Methods.Household.collectReceipts) { [hub] request, call in
            hub.collectReceipts(call, after: request.afterChange)
        }
        router.onCarrier(Methods.Household.collectAnswers) { [hub] request, call in
            hub.collectAnswers(call, after: request.afterChange)
        }
        router.onCarrier(Methods.Household.submitReceipt) { request, call in
            let (shared, key): (SharedReceipt, [UInt8])
            do throws(GateError) {
                (shared, key) = try pipeline.durable.sharedReceipt(request.signedReceipt)
                _ = try pipeline.durable.sharingMember(shared.device, verifiedBy: key)
            } catch {
                return call.fail(error)
            }
            let source = StatementSource.device(shared.device, verifiedBy: key)
            verifications.verifyAndSubmit(
                for: call, as: { .entitlements(.submit($0, for: shared.holder, from: source)) }
            ) {
                verifiers throws(GateError) in
                try verifiers.verification(of: shared.receipt.kind, Array(shared.receipt.text.utf8))
            } answer: {
                SubmitReceiptResponse(revision: $0.revision)
            }
        }
    }
}

extension HouseholdRouter {
    private func addUsage(to router: inout Router) {
        router.onCarrier(Methods.Household.collectUsage) { [hub] request, call in
            hub.collectUsage(call, after: request.afterChange)
        }
        router.onCarrier(Methods.Household.submitUsage) { request, call in
            let (report, key): (UsageReport, [UInt8])
            do throws(GuardianError) {
                (report, key) = try pipeline.durable.usageReport(request.signedUsage)
            } catch {
                return call.fail(.badGuardian(error.check, error.message))
            }
            pipeline.submit(.household(.takeUsage(report, verifiedBy: key)), for: call) {
                SubmitUsageResponse(revision: $0.revision)
            }
        }
    }
}

extension GateState {
    /// The report of a device on the list, and the key that the device's signature was verified with.
    fileprivate func usageReport(_ signed: [UInt8]) throws(GuardianError) -> (UsageReport, [UInt8]) {
        let text = try SignedText(signed, as: .usage)
        let report = try UsageReport(payload: text.payload)
        guard let key = householdList?.member(report.device)?.publicKey else {
            throw GuardianError(.device, "The device that reports this is not on the household's list.")
        }
        try text.verify(with: key)
        return (report, key)
    }

    /// A receipt that another device of this household shares, and the key that the device's signature was verified
    /// with. The receipt itself is not checked yet.
    fileprivate func sharedReceipt(_ signed: [UInt8]) throws(GateError) -> (SharedReceipt, [UInt8]) {
        do throws(GuardianError) {
            let text = try SignedText(signed, as: .receipt)
            let shared = try SharedReceipt(payload: text.payload)
            guard shared.household == configuration.household?.household else {
                throw GuardianError(.household, "This receipt is of another household.")
            }
            guard let key = householdList?.member(shared.device)?.publicKey else {
                throw GuardianError(.device, "The device that shares this is not on the household's list.")
            }
            try text.verify(with: key)
            return (shared, key)
        } catch {
            throw .badGuardian(error.check, error.message)
        }
    }

    /// The news in a request: the open questions that this device can decrypt and that a device of the list has signed,
    /// and the names of closed ones, which nothing signs.
    fileprivate func news(of request: SubmitRequestsRequest) -> RequestNews {
        var news = RequestNews(isAll: request.isAll)
        guard let device = configuration.household?.device,
            let key = records.household.deviceKey.flatMap({ SealingKey($0.secret) })
        else { return news }
        for incoming in request.requests {
            if incoming.sealed.isEmpty {
                news.closed.append(incoming.name)
            } else if let heard = heard(incoming, with: key, of: device) {
                news.heard.append(heard)
            }
        }
        return news
    }

    private func heard(_ incoming: ArrivedRequest, with key: SealingKey, of device: HouseholdID) -> HeardRequest? {
        guard let member = householdList?.member(incoming.name.device),
            let opened = SealedWords.open(incoming.sealed, with: key, of: device),
            let text = try? SignedText(opened, as: .request), (try? text.verify(with: member.publicKey)) != nil,
            let words = try? RequestWords(payload: text.payload),
            RequestName(words.device, words.number) == incoming.name
        else { return nil }
        return HeardRequest(
            words: words, shown: SealedWords.digest(text.payload), verifiedBy: member.publicKey, left: incoming.left,
            askedAt: incoming.askedAt)
    }
}

extension Router {
    /// Adds a method for peers with the role household or administrator. Others are refused before a signature is
    /// verified.
    fileprivate mutating func onCarrier<Request, Response>(
        _ method: Method<Request, Response>, _ body: @escaping (Request, Call<Response>) throws(GateError) -> Void
    ) {
        on(method) { request, call throws(GateError) in
            guard !call.peer.roles.isDisjoint(with: [.household, .administrator]) else { throw .onlyCarriers }
            try body(request, call)
        }
    }
}

extension GateState {
    /// The command of a guardian on the list. Only the signature is verified so far.
    fileprivate func guardianCommand(_ signed: [UInt8]) throws(GuardianError) -> SignedGuardianCommand {
        let text = try SignedText(signed, as: .command)
        let command = try GuardianCommand(payload: text.payload)
        guard let member = householdList?.member(command.guardian), member.guardian != nil else {
            throw GuardianError(.guardian, "This is not signed by a guardian that this device knows.")
        }
        try text.verify(with: member.publicKey)
        var shown: [UInt8]?
        if case .answer(let answer) = command.order, answer.ask == nil {
            shown = wordsForGuardians(answer.number).map { SealedWords.digest($0.payload) }
        }
        return SignedGuardianCommand(command, verifiedBy: member.publicKey, shown: shown)
    }

    /// `nil` if the device belongs to no household.
    fileprivate func householdState(_ challenge: [UInt8], refusal: HouseholdPolicyRefusal?) -> HouseholdState? {
        guard let settings = configuration.household else { return nil }
        let list = householdList
        return HouseholdState(
            household: settings.household, device: settings.device, listNumber: list?.number ?? 0,
            listExpires: list?.expires, members: list?.members ?? [], challenge: challenge,
            publicKey: records.household.deviceKey?.publicKey ?? [], policyNumber: configuration.householdPolicy,
            policyRefusal: refusal)
    }
}
