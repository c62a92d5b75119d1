/// The same form in both formats.
enum SampleForms {
    static let json = """
        {
          "resourceType": "Questionnaire",
          "id": "school",
          "url": "https://example.org/school",
          "version": "2026.10",
          "title": "A school form",
          "status": "active",
          "item": [
            {
              "linkId": "child", "type": "group", "text": "The child", "item": [
                {"linkId": "name", "type": "string", "text": "Name", "required": true, "maxLength": 40},
                {"linkId": "class", "type": "integer", "text": "Class", "initial": [{"valueInteger": 3}],
                  "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/maxValue", "valueInteger": 13}]},
                {"linkId": "weight", "type": "decimal", "text": "Satchel \\"in kg\\"", "initial": [{"valueDecimal": 1.50}]}
              ]
            },
            {"linkId": "swims", "type": "boolean", "text": "true"},
            {"linkId": "badge", "type": "choice", "enableWhen": [
                {"question": "swims", "operator": "=", "answerBoolean": true}
              ], "answerOption": [{"valueCoding": {"code": "1", "display": "no"}}]}
          ]
        }

        """

    static let yaml = """
        # A form for a school.
        resourceType: Questionnaire
        id: school
        url: https://example.org/school
        version: 2026.10
        title: A school form
        status: active
        item:
          - linkId: child
            type: group
            text: The child
            item:
              - {linkId: name, type: string, text: Name, required: true, maxLength: 40}
              - linkId: class
                type: integer
                text: Class
                initial: [{valueInteger: 3}]
                extension:
                  - url: http://hl7.org/fhir/StructureDefinition/maxValue
                    valueInteger: 13
              - {linkId: weight, type: decimal, text: Satchel "in kg", initial: [{valueDecimal: 1.50}]}
          - {linkId: swims, type: boolean, text: true}
          - linkId: badge
            type: choice
            enableWhen: [{question: swims, operator: =, answerBoolean: true}]
            answerOption: [valueCoding: {code: 1, display: no}]

        """

    /// With one item, a question.
    static func yaml(id: String?, item: String = "{linkId: q, type: boolean}") -> String {
        let name = id.map { "id: \($0)\n" } ?? ""
        return "resourceType: Questionnaire\n\(name)status: active\nitem:\n  - \(item)\n"
    }
}
