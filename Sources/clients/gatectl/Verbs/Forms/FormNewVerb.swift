import ArgumentParser
import GateModel

struct FormNewVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a form to begin with. Needs no daemon.",
        discussion: """
            For example: gatectl form new pets > pets.yaml

            A questionnaire in YAML, with a few questions to change: what a text is in several languages, what has to be answered, and what \
            depends on another answer. `gatectl form check pets.yaml` says what is wrong with it; in /etc/gate/questionnaires.d it is in \
            force with the next `sudo gatectl reload`.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The name of the form: lower-case letters, digits and hyphens.")
    var name: String

    func validate() throws {
        let isName = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        guard isName, (1...64).contains(name.utf8.count) else {
            throw ValidationError(
                "'\(name)' can't be the name of a form. Use lower-case letters, digits and hyphens, like pets.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        session.output.line(Self.form(named: name))
    }

    /// A form in which `form check` finds no faults.
    static func form(named name: String) -> String {
        """
        # A form. `gatectl form check FILE` says what is wrong with it, and docs/forms.md what else there is.
        # A text may be in several languages: each person reads their own.
        resourceType: Questionnaire
        id: "\(name)"
        status: active
        language: en
        title: {en: My form, de: Mein Formular}
        item:
          # The linkId is what programs call an answer: `gatectl form set \(name) name Anna`.
          - linkId: name
            type: string
            text: {en: What is your name?, de: Wie heißt du?}
            required: true
            maxLength: 80
          - linkId: has-pet
            type: boolean
            text: {en: Do you have a pet?, de: Hast du ein Haustier?}
            required: true
          # It is asked only if the answer before was yes.
          - linkId: pet
            type: choice
            text: {en: What is it?, de: Was für eines?}
            required: true
            enableWhen:
              - {question: has-pet, operator: "=", answerBoolean: true}
            answerOption:
              - valueCoding: {code: dog, display: {en: A dog, de: Ein Hund}}
              - valueCoding: {code: cat, display: {en: A cat, de: Eine Katze}}
              - valueCoding: {code: other, display: {en: Something else, de: Etwas anderes}}
          - linkId: born
            type: date
            text: {en: When were you born?, de: Wann bist du geboren?}
        """
    }
}
