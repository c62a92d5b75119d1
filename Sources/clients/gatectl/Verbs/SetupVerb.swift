import ArgumentParser
import GateClient
import GateModel
import GatePolicy
import GateTexts
import Glibc

struct SetupVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: localized(
            "Set up this device for a family: people, a passcode, links, Gate's own screen (administrators)."),
        discussion: localized(
            """
            On a terminal, this asks, shows everything that it is about to do, does it, and says for each child where \
            its questions are answered. You can run it again at any time; Return keeps what is set. If people or \
            secrets change while it asks, for example by another `gatectl setup`, it changes nothing and says so. It \
            also replaces a forgotten passcode.

            For many devices: sudo gatectl setup --answers family.yaml
            Such a file: {people: {thomas: grown-up, mia: {child: 2015-03-02}}, passcode-file: /root/passcode, links: \
            true, software: true, time: true, screen: true, screen-word: blue whale}
            What the file leaves out stays as it is. In scripts that only set a passcode: gatectl passcode set --stdin
            """))

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp(
            localized("Take the answers from this file (YAML or JSON), and ask nothing."), valueName: "file"))
    var answers: String?

    @Flag(help: ArgumentHelp(localized("Say what would be done, and do nothing.")))
    var dryRun = false

    @Option(help: ArgumentHelp("The users of this device, as in /etc/passwd; for tests.", visibility: .hidden))
    var passwd: String?

    @Flag(help: ArgumentHelp("Ask in the window of gate-settings, which starts this.", visibility: .hidden))
    var forWindow = false

    func perform(_ session: Session) async throws(GateError) {
        guard !forWindow else { return try await performInWindow(session) }
        let prompt: LinePrompt? =
            answers == nil
            ? try LinePrompt(
                readsStandardInput: false,
                orElse: localized(
                    "Run `gatectl setup` on a terminal; in a script: `gatectl setup --answers FILE`, or `gatectl passcode set --stdin`."
                )) : nil
        let device = try await device(session)
        let situation = try await device.situation()
        let (plan, passcode) =
            if let prompt { try await asked(session, prompt, situation) } else { try read(situation) }
        guard try await isWanted(plan, prompt, session) else { return }
        if !plan.steps.isEmpty { prompt?.say("") }
        let failures = try await perform(plan, on: device, passcode: passcode, in: situation, prompt) {
            say($0, prompt, session)
        }
        let isSafe = try await check(device, situation.users, prompt)
        if failures > 0 {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized(
                    "{count} thing could not be done.", plural: "{count} things could not be done.", count: failures))
        }
        guard isSafe else {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized("Nobody can answer some of these questions yet. What to do stands below them."))
        }
        prompt?.explain(Self.next)
    }

    /// Asks in the window of gate-settings, does what was agreed to, and hands over the table at the end.
    private func performInWindow(_ session: Session) async throws(GateError) {
        do throws(GateError) {
            let device = try await device(session)
            let situation = try await device.situation()
            var window = try SetupWindow(situation, today: CivilDate(WallTime.now()))
            let plan = try await window.plan()
            _ = try await perform(plan, on: device, passcode: window.passcode, in: situation, nil) {
                window.done($0)
            }
            let trial = try await tried(session)
            window.checked(trial, try await device.table(users: situation.users))
        } catch {
            SetupWindow.refused(error)
            throw error
        }
    }

    private func device(_ session: Session) async throws(GateError) -> SetupDevice {
        _ = try await session.gate.control.version()
        try await checkAdministrator(session)
        return SetupDevice(
            session: session, policy: policy, serverUser: connection.serverUser,
            isDefaultSocket: session.gate.options.socketPath == GateClientOptions.defaultSocketPath,
            passwd: passwd.flatMap { SystemFile.text(of: $0) })
    }

    private func checkAdministrator(_ session: Session) async throws(GateError) {
        do throws(GateError) {
            _ = try await session.gate.control.statistics()
        } catch {
            guard error.code == .permissionDenied else { throw error }
            throw GateError(
                .permissionDenied, .notPermitted,
                saying: localized(
                    "Only an administrator can set up Gate. Run `sudo gatectl setup`, or join the group gate-admin."))
        }
    }

    // MARK: - What is to be done

    private func asked(
        _ session: Session, _ prompt: LinePrompt, _ situation: SetupSituation
    ) async throws(GateError) -> (SetupPlan, GateSecret?) {
        prompt.explain(
            localized(
                "This sets Gate up in a few questions. Return takes the answer in brackets. Nothing is changed until you agree at the end."
            ))
        var dialogue = SetupDialogue(session, prompt, situation)
        try await dialogue.run()
        for advice in SetupAdvice.missingPackages(situation) { prompt.explain("\n" + advice) }
        let conversation = dialogue.conversation
        let plan = SetupPlan(
            conversation.answers, on: situation, setsPasscode: conversation.setsPasscode,
            setsAuthenticator: conversation.setsAuthenticator)
        return (plan, dialogue.passcode)
    }

    private func read(_ situation: SetupSituation) throws(GateError) -> (SetupPlan, GateSecret?) {
        let answers: SetupAnswers
        do throws(PolicyError) {
            answers = try SetupAnswersReader.read(
                file: self.answers ?? "", users: situation.users.map(\.name), today: CivilDate(WallTime.now()))
        } catch {
            throw GateError(.invalidArgument, .invalidRequest, error.description)
        }
        let passcode = try answers.passcodeFile.map { path throws(GateError) in try SecretFile(path: path).lines(1)[0] }
        try SetupAdvice.check(answers, on: situation)
        return (SetupPlan(answers, on: situation, setsPasscode: passcode != nil), passcode)
    }

    private func isWanted(
        _ plan: SetupPlan, _ prompt: LinePrompt?, _ session: Session
    ) async throws(GateError) -> Bool {
        let lines = plan.steps.map(\.text)
        guard let prompt else {
            if dryRun { for line in lines { session.output.line(Finding.planned(line, session.output)) } }
            return !dryRun
        }
        guard !lines.isEmpty else {
            prompt.say("\n" + localized("Nothing needs to be changed."))
            return !dryRun
        }
        prompt.say("\n" + localized("This will be done:"))
        for line in lines { prompt.say("  " + line) }
        guard !dryRun else { return false }
        let answer = try await prompt.line(SetupDialogue.decision(localized("Do this now?"), agrees: true))
        let isWanted = WritingHabits.ofPerson.isYes(answer.filter { $0 != " " }) ?? answer.allSatisfy(\.isWhitespace)
        if !isWanted { prompt.say(localized("Nothing was changed.")) }
        return isWanted
    }

    // MARK: - Doing it

    /// Does all steps, even after one failed, and reports each. Returns how many failed.
    ///
    /// - Throws: `ABORTED` (`changedMeanwhile`) before the first step, if the situation has changed since the questions.
    private func perform(
        _ plan: SetupPlan, on device: SetupDevice, passcode: GateSecret?, in situation: SetupSituation,
        _ prompt: LinePrompt?, say: (Finding) -> Void
    ) async throws(GateError) -> Int {
        if !plan.steps.isEmpty, try await !device.isStill(situation) {
            throw GateError(
                .aborted, .changedMeanwhile,
                saying: localized(
                    "Nothing was changed, since people or secrets were set up elsewhere meanwhile, perhaps by another `gatectl setup`. Begin again to see what is set up now."
                ))
        }
        var failures = 0
        for step in plan.steps {
            var finding = Finding(subject: "setup", found: step.text, verdict: .ok)
            do throws(GateError) {
                try await device.perform(step, passcode: passcode, users: situation.users, prompt)
            } catch {
                // Ctrl-C means no more steps, either.
                guard error.code != .cancelled else { throw error }
                finding.verdict = .failed(mend: RefusalText.sentence(error))
                failures += 1
            }
            say(finding)
        }
        return failures
    }

    private func say(_ finding: Finding, _ prompt: LinePrompt?, _ session: Session) {
        guard let prompt else {
            return session.output.line(session.output.isJSON ? finding.json : finding.line)
        }
        switch finding.verdict {
        case .failed(let reason): prompt.say("  FAIL  \(finding.found)\n        \(reason)")
        case .ok, .unknown: prompt.say("  ok    \(finding.found)")
        }
    }

    // MARK: - The check at the end

    /// Tries parent mode as a child, and returns the result in words.
    /// - Throws: `FAILED_PRECONDITION` if the child was let in.
    private func tried(_ session: Session, say: (String) -> Void = { _ in }) async throws(GateError) -> String {
        _ = try await session.gate.mode.lock()
        let trial = await SetupTrial.run(session.gate.options)
        let who = geteuid() == 0 ? "" : " " + localized("(Tried as you; as root it would be tried as another user.)")
        say(trial.text + who)
        if trial == .letIn {
            _ = try await session.gate.mode.lock()
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized(
                    "This device is not safe yet. Look at `gatectl policy show`, and at who is an administrator."))
        }
        return trial.text + who
    }

    /// Tries parent mode as a child, and says where each child's questions are answered. Returns whether all can be.
    private func check(
        _ device: SetupDevice, _ users: [DeviceUser], _ prompt: LinePrompt?
    ) async throws(GateError) -> Bool {
        let session = device.session
        _ = try await tried(session) { prompt?.say("\n" + $0) }
        guard let table = try await device.table(users: users), !table.rows.isEmpty else { return true }
        if let prompt {
            prompt.say("\n" + localized("Where each child's questions are answered:"))
            for line in table.lines { prompt.say(line) }
        } else {
            for finding in table.findings { say(finding, nil, session) }
        }
        return !table.hasFailure
    }

    private static var next: String {
        [
            "", SetupAdvice.timeAtTheComputer, "", localized("Done. What to do next:"),
            "  gatectl toggle       " + localized("enter parent mode, and leave it"),
            "  gatectl people       " + localized("who is a grown-up and who is a child"),
            "  gatectl gates        " + localized("what else is guarded; `gatectl gates set` changes it"),
            "  gatectl doctor       " + localized("whether everything is in place"),
            localized("A forgotten passcode: an administrator runs `gatectl passcode set`."),
        ].joined(separator: "\n")
    }
}

extension Finding {
    fileprivate static func planned(_ text: String, _ output: Output) -> String {
        output.isJSON ? "{\"planned\":\(JSONString.quoted(text))}" : text
    }
}
