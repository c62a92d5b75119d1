import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Preparing the slow part of a command about a form")
struct FormPreparationTests {
    private let target = FormTarget(name: "profile")

    private func answered(_ name: String) -> QuestionnaireResponse {
        QuestionnaireResponse(
            questionnaire: Questionnaire.profile.canonical, status: .completed, authored: nil,
            items: [QuestionnaireResponseItem(linkID: "name", answers: [QuestionnaireResponseAnswer(.string(name))])])
    }

    private var savingFriend: Command { .savePart(target, FormPath("friend"), over: nil, label: "") }
    private var savingName: Command { .savePart(target, FormPath("name"), over: nil, label: "") }

    private func opened() throws -> Device {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        return device
    }

    private func outcome(
        of command: Command, in state: GateState, of device: Device, _ prepared: FormPreparation?
    ) -> (Result<Transition, GateError>, GateState) {
        var state = state
        var context = Context(
            now: device.now, localTime: LocalTime(WallTime(unixMilliseconds: 0)), peer: .anna,
            random: SystemRandomNumberGenerator(), prepared: prepared)
        let result = Result { () throws(GateError) in try state.apply(command, &context) }
        return (result, state)
    }

    private func prepared(_ kind: FormWork.Kind, _ device: Device) throws -> FormPreparation {
        try device.state.formWork(kind, on: target, for: .anna, at: device.now, localTime: .epoch).done()
    }

    @Test("a prepared command has the same outcome as an unprepared one, also if it is refused")
    func same() throws {
        var device = try opened()
        guard case .responded(let id) = try device.apply(.saveForm(target), as: .anna).reply else {
            Issue.record("nothing was saved")
            return
        }
        try device.set("profile", "friend[0]/friend-name", .string("Ole"), as: .anna)
        guard case .keptPart(let part) = try device.apply(savingFriend, as: .anna).reply else {
            Issue.record("no part was kept")
            return
        }
        let take = FormEdit.take(FormPath("friend"), parts: [part])
        let bad = QuestionnaireResponse(
            questionnaire: nil, status: .completed, authored: nil,
            items: [QuestionnaireResponseItem(linkID: "rocket", answers: [QuestionnaireResponseAnswer(.boolean(true))])]
        )
        let street = FormEdit.set(FormPath("street"), [.string("Lane")], attachments: [:])
        let cases: [(Command, FormWork.Kind)] = [
            (
                .editForm(target, at: nil, .fill(answered("Max"), attachments: [:])),
                .edit(.fill(answered("Max"), attachments: [:]))
            ),
            (.editForm(target, at: nil, .fill(bad, attachments: [:])), .edit(.fill(bad, attachments: [:]))),
            (.editForm(target, at: nil, street), .edit(street)),
            (.editForm(target, at: nil, .reset), .edit(.reset)),
            (.loadForm(target, at: nil, response: id), .load(id)),
            (.saveForm(target), .keep(.inProgress)),
            (.completeForm(target, at: nil), .keep(.completed)),
            (.editForm(target, at: nil, take), .edit(take)), (savingFriend, .part(FormPath("friend"))),
            (savingName, .part(FormPath("name"))),
        ]
        for (command, kind) in cases {
            let (with, after) = outcome(of: command, in: device.state, of: device, try prepared(kind, device))
            let (without, expected) = outcome(of: command, in: device.state, of: device, nil)
            #expect(with == without, "\(command)")
            #expect(after == expected, "\(command)")
        }
    }

    @Test("a preparation for a changed or another draft is discarded, and the work is done anew")
    func changed() throws {
        var device = try opened()
        let complete = try prepared(.keep(.completed), device)
        let fill = try prepared(.edit(.fill(answered("Max"), attachments: [:])), device)
        try device.set("profile", "street", .string("Lane"), as: .anna)
        for (command, prepared) in [
            (.completeForm(target, at: nil), complete), (.saveForm(target), complete),
            (.editForm(target, at: nil, .fill(answered("Max"), attachments: [:])), fill),
            (.editForm(target, at: nil, .fill(answered("Ida"), attachments: [:])), fill),
        ] as [(Command, FormPreparation)] {
            let (with, after) = outcome(of: command, in: device.state, of: device, prepared)
            let (without, expected) = outcome(of: command, in: device.state, of: device, nil)
            #expect(with == without, "\(command)")
            #expect(after == expected, "\(command)")
        }
    }

    @Test("preparing for a draft that does not exist is refused")
    func nothing() throws {
        let device = try Device.asking()
        #expect(throws: GateError.self) { try prepared(.keep(.completed), device) }
    }
}
