import Foundation
import GateModel
import Testing

@testable import GateForms

@Suite("HL7's extensions")
struct KnownExtensionTests {
    /// Those of R4 (4.0.1) that questionnaires have, at `http://hl7.org/fhir/StructureDefinition/…`.
    private static let standard = """
        regex entryFormat minValue maxValue minLength maxDecimalPlaces maxSize mimeType translation variable ordinalValue \
        designNote replaces rendering-style rendering-styleSensitive rendering-xhtml rendering-markdown cqf-initialValue \
        cqf-calculatedValue cqf-library questionnaire-minOccurs questionnaire-maxOccurs questionnaire-hidden \
        questionnaire-optionExclusive questionnaire-optionPrefix questionnaire-unit questionnaire-unitOption \
        questionnaire-unitValueSet questionnaire-referenceResource questionnaire-referenceProfile \
        questionnaire-referenceFilter questionnaire-constraint questionnaire-signatureRequired questionnaire-usageMode \
        questionnaire-itemControl questionnaire-choiceOrientation questionnaire-sliderStepValue \
        questionnaire-displayCategory questionnaire-supportLink questionnaire-ordinalValue questionnaire-baseType \
        questionnaire-fhirType questionnaire-definitionBased
        """

    /// Those of Structured Data Capture, at `http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-…`.
    private static let capture = """
        minQuantity maxQuantity calculatedExpression initialExpression enableWhenExpression answerExpression \
        candidateExpression contextExpression answerOptionsToggleExpression choiceConstraint lookupQuestionnaire unitOpen \
        unitSupplementalSystem launchContext sourceQueries sourceStructureMap itemPopulationContext observationLinkPeriod \
        definitionDependent targetStructureMap itemExtractionContext observationExtract observation-extract-category \
        definitionExtract definitionExtractValue templateExtract templateExtractBundle templateExtractContext \
        templateExtractValue extractAllocateId subQuestionnaire assemble-expectation assembleContext assembledFrom \
        questionnaireAdaptive referencesContained endpoint preferredTerminologyServer isSubject performerType entryMode \
        choiceColumn collapsible columnCount itemMedia itemAnswerMedia openLabel optionalDisplay shortText width
        """

    private static let urls: [String] =
        standard.split(separator: " ").map { "http://hl7.org/fhir/StructureDefinition/\($0)" }
        + capture.split(separator: " ").map { "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-\($0)" }

    private enum Place: CaseIterable {
        case questionnaire
        case item
        case text
        case option
        case code

        /// A form with the extension there.
        func form(_ json: String) -> String {
            let list = #""extension": [\#(json)]"#
            let title = self == .text ? #", "_text": {\#(list)}"# : ""
            let code = self == .code ? ", \(list)" : ""
            let option = #"{"valueCoding": {"code": "c"\#(code)}\#(self == .option ? ", \(list)" : "")}"#
            let item = self == .item ? ", \(list)" : ""
            return Form.json(
                #"{"linkId": "a", "type": "choice", "text": "A"\#(title)\#(item), "answerOption": [\#(option)]}"#,
                more: self == .questionnaire ? "\(list)," : "")
        }
    }

    @Test("each extension is used or reported, wherever it stands", arguments: urls)
    func walk(url: String) throws {
        for place in Place.allCases {
            let problems = try Form.read(place.form(#"{"url": "\#(url)", "valueCode": "x"}"#)).problems
            let names = [url, url.split(separator: "/").last.map(String.init) ?? url]
            #expect(
                problems.contains { problem in names.contains { problem.message.contains($0) } },
                "\(place): \(problems)")
        }
    }

    @Test("an extension without its value is reported")
    func withoutValue() throws {
        for known in FormExtension.allCases where !known.isComplex {
            let json = #"{"url": "\#(known.url)", "extension": [{"url": "x", "valueCode": "y"}]}"#
            for place in Place.allCases {
                let problems = try Form.read(place.form(json)).problems
                #expect(problems.contains { $0.message.contains(known.rawValue) }, "\(place): \(problems)")
            }
        }
    }

    @Test("docs/forms.md lists what becomes of each extension, and no others")
    func documented() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let page = try String(contentsOf: root.appending(path: "docs/forms.md"), encoding: .utf8)
        let section = try #require(page.split(separator: "### Extensions\n").last?.split(separator: "\n### ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }.filter { !$0.hasPrefix("http") }
        let known = Set(Self.urls.compactMap { $0.split(separator: "/").last }).union([
            "parents", "mask", "one-line", "completed-by", "label",
        ])
        #expect(Set(named).subtracting(known).isEmpty, "\(Set(named).subtracting(known).sorted())")
        #expect(known.subtracting(named).isEmpty, "\(known.subtracting(named).sorted())")
        #expect(named.count == Set(named).count)
    }
}
