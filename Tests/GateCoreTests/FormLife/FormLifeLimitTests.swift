import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Limits on forms")
struct FormLifeLimitTests {
    /// A device with this many equal forms.
    private func device(forms count: Int) throws -> Device {
        var configuration = Configuration.asking
        for number in 0..<count {
            configuration = configuration.with(
                .life("form-\(number)", version: "1", [.question("q", .text) { $0.repeats = true }]))
        }
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 0)
        return device
    }

    private func user(_ number: Int) -> Peer {
        Peer(connection: 1000 + UInt64(number), uid: 5000 + UInt32(number), pid: 1, roles: .app)
    }

    private func isLimit(_ refusal: GateError?) -> Bool {
        refusal?.code == .resourceExhausted && refusal?.reason == .limit
    }

    @Test("an account or user has a limited number of open forms, without affecting others")
    func draftsOfHolder() throws {
        var device = try device(forms: Limits.draftsOfHolder + 1)
        for number in 0..<Limits.draftsOfHolder { try device.openForm("form-\(number)", as: .anna) }
        let next = Command.openForm(FormTarget(name: "form-\(Limits.draftsOfHolder)"))
        #expect(isLimit(device.refusal(next, as: .annasOther)) && device.refusal(next, as: .ben) == nil)
        #expect(device.refusal(.openForm(FormTarget(name: "form-0")), as: .anna) == nil, "joining takes no room")
        try device.register("lina")
        var signedIn = device
        try signedIn.logIn("lina", as: .anna)
        #expect(signedIn.refusal(next, as: .anna) == nil, "the person who is signed in is somebody else")
        try device.apply(.discardForm(FormTarget(name: "form-3")), as: .anna)
        #expect(device.refusal(next, as: .anna) == nil)
    }

    @Test("loading a response opens a form only within the same limits")
    func loadingOpens() throws {
        var device = try device(forms: Limits.draftsOfHolder)
        try device.completeProfile(as: .anna)
        for number in 0..<Limits.draftsOfHolder { try device.openForm("form-\(number)", as: .anna) }
        #expect(isLimit(device.refusal(.loadForm(FormTarget(name: "profile"), at: nil, response: nil), as: .anna)))
    }

    @Test("the device has a limited number of open forms")
    func drafts() throws {
        var device = try device(forms: Limits.draftsOfHolder)
        for number in 0..<Limits.drafts {
            try device.openForm("form-\(number % Limits.draftsOfHolder)", as: user(number / Limits.draftsOfHolder))
        }
        #expect(device.state.openForms.count == Limits.drafts)
        #expect(isLimit(device.refusal(.openForm(FormTarget(name: "profile")), as: .anna)))
        try device.apply(.discardForm(FormTarget(name: "form-0")), as: user(0))
        try device.openForm("profile", as: .anna)
    }

    @Test("an account or user keeps a limited number of responses; a form that finds no room stays as a draft")
    func responsesOfHolder() throws {
        var device = try device(forms: 1)
        try device.openForm("form-0", as: .anna)
        for _ in 0..<Limits.responsesOfHolder { try device.save("form-0", as: .anna) }
        let target = FormTarget(name: "form-0")
        #expect(isLimit(device.refusal(.saveForm(target), as: .anna)))
        #expect(isLimit(device.refusal(.completeForm(target, at: nil), as: .anna)))
        #expect(device.state.openForms.count == 1, "the draft is still there")
        #expect(device.refusal(.withdrawResponse(1), as: .anna) == nil)
        try device.apply(.withdrawResponse(1), as: .anna)
        try device.complete("form-0", as: .anna)
        try device.openForm("form-0", as: .ben)
        try device.save("form-0", as: .ben)
    }

    @Test("the device keeps a limited number of responses")
    func responses() throws {
        var device = try device(forms: 1)
        let users = Limits.responses / Limits.responsesOfHolder
        for number in 0..<users {
            try device.openForm("form-0", as: user(number))
            for _ in 0..<Limits.responsesOfHolder { try device.save("form-0", as: user(number)) }
        }
        #expect(device.state.records.responses.count == Limits.responses)
        try device.openForm("form-0", as: .anna)
        #expect(isLimit(device.refusal(.saveForm(FormTarget(name: "form-0")), as: .anna)))
    }

    @Test("the answers of one form have a limited size, whichever way they come")
    func bytes() throws {
        var device = try device(forms: 1)
        try device.openForm("form-0", as: .anna)
        let target = FormTarget(name: "form-0")
        let long = FormValue.string(String(repeating: "a", count: Limits.draftByteCount / 4))
        let path = try FormPath.at("q")
        #expect(
            isLimit(
                device.refusal(
                    .editForm(target, at: nil, .set(path, [long, long, long, long], attachments: [:])), as: .anna)))
        #expect(
            isLimit(
                device.refusal(
                    .editForm(target, at: nil, .suggest(path, [long, long, long, long], attachments: [:])), as: .anna)))
        let response = QuestionnaireResponse(
            questionnaire: "https://gate.example/fhir/Questionnaire/form-0|1", status: .completed,
            items: [.answer("q", long, long, long, long)])
        #expect(isLimit(device.refusal(.editForm(target, at: nil, .fill(response, attachments: [:])), as: .anna)))
        try device.set("form-0", "q", long, long, long, as: .anna)
        let id = try device.save("form-0", as: .anna)
        try device.apply(.loadForm(target, at: nil, response: id), as: .anna)
        device.checkForms()
    }
}
