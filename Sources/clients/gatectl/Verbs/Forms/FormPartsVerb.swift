import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct FormPartsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts",
        abstract: "List, save, take, rename and remove parts: answers that several forms share.",
        discussion: """
            For example: gatectl form parts take motor-insurance policy-holder 7
            And: gatectl form parts save motor-insurance 'driver[0]' --label Anna

            A form says by the `definition` of an item what it means: a person, an address, a vehicle. What is answered there is kept \
            when the form is completed, or with `save`, and can be taken into every item with the same definition. To edit a part, \
            take it into a draft, change it there, and save it with --over.
            """,
        subcommands: [
            FormPartsListVerb.self, FormPartsShowVerb.self, FormPartsSaveVerb.self, FormPartsTakeVerb.self,
            FormPartsRenameVerb.self, FormPartsRemoveVerb.self,
        ], defaultSubcommand: FormPartsListVerb.self)
}

struct FormPartsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the parts: your own, or as an administrator everybody's.")

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Only the parts of this definition.", valueName: "uri"))
    var definition: String?

    @Argument(help: "Only the parts that this form asks for. Default: all.", completion: NameCompletion.forms)
    var name: String?

    func validate() throws {
        if name != nil, definition != nil { throw ValidationError("Give either a form or --definition.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        var parts = try await session.gate.forms.parts(of: definition)
        if let name {
            let definitions = try await session.gate.forms.description(of: name).questionnaire.definitions
            parts = parts.filter { definitions.contains($0.definition) }
        }
        try await session.output.list(
            parts, as: ListPartsResponse.self, orNone: localized("There are no parts."), columns: FormLines.columns)
    }
}

struct PartArguments: ParsableArguments, Sendable {
    @Argument(help: "Its number: `gatectl form parts`.")
    var id: UInt64
}

struct FormPartsShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the answers of a part.",
        discussion: "For example: gatectl form parts show 7. With --json a QuestionnaireResponse resource of one item.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var part: PartArguments

    func perform(_ session: Session) async throws(GateError) {
        let answer = try await session.gate.call(Methods.Questionnaires.getPart, GetPartRequest(partID: part.id))
        guard !session.output.isJSON else {
            return session.output.line(String(decoding: answer.response, as: UTF8.self))
        }
        session.output.note(FormLines.columns(answer.summary).joined(separator: "  "))
        for line in ResponseListing(try FormLines.response(answer.response)).lines { session.output.line(line) }
    }
}

struct FormPartsSaveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Keep the answers of an item of a draft as a part.",
        discussion: """
            For example: gatectl form parts save motor-insurance policy-holder --label 'Anna Schmidt'
            And: gatectl form parts save motor-insurance policy-holder --over 7

            It prints the number of the part. With --over it takes the place of that part.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "The item's path: policy-holder, driver[1].", transform: FormPathText.parse)
    var path: FormPath

    @Option(help: ArgumentHelp("A label. Default: the answers make one.", valueName: "text"))
    var label: String?

    @Option(help: ArgumentHelp("The part to replace. Default: a new one.", valueName: "number"))
    var over: UInt64?

    func perform(_ session: Session) async throws(GateError) {
        let request = SavePartRequest(
            target: form.target, path: path.description, partID: over, label: label ?? "")
        let response = try await session.gate.call(Methods.Questionnaires.savePart, request)
        try session.output.result(
            response, at: response.revision, localized("part {id}  kept", ["id": "\(response.partID)"]))
    }
}

struct FormPartsTakeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Put parts into an item of a draft.",
        discussion: """
            For example: gatectl form parts take motor-insurance policy-holder 7
            And: gatectl form parts take motor-insurance driver 8 9

            A part replaces the answers there; in a group that repeats, each part adds one more group. \
            Answers that do not fit are left out and listed.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "The item's path: policy-holder, driver, driver[1].", transform: FormPathText.parse)
    var path: FormPath

    @Argument(help: "The numbers of the parts: `gatectl form parts`.")
    var ids: [UInt64]

    func perform(_ session: Session) async throws(GateError) {
        let request = TakePartsRequest(
            target: form.target, atRevision: revision.at, path: path.description, partIDs: ids)
        let response = try await session.gate.call(Methods.Questionnaires.takeParts, request)
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}

struct FormPartsRenameVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a part another label.",
        discussion: "For example: gatectl form parts rename 7 'Anna Schmidt'. Without a text the answers make one.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var part: PartArguments

    @Argument(help: "One line of at most 200 bytes.")
    var text = ""

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Questionnaires.labelPart, LabelPartRequest(partID: part.id, label: text))
        try session.output.result(response, at: response.revision, FormLines.labelled(text))
    }
}

struct FormPartsRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a part.",
        discussion: "Answers that were taken from it stay.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var part: PartArguments

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Questionnaires.removePart, RemovePartRequest(partID: part.id))
        try session.output.result(
            response, at: response.revision, localized("part {id}  removed", ["id": "\(part.id)"]))
    }
}
