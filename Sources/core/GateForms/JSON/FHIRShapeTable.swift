/// The types of R4 (4.0.1) with their elements and the elements' types. `*`: a list; `!`: required.
enum FHIRShapeTable {
    static let text = """
        Questionnaire: url uri, identifier Identifier*, version string, name string, title string, \
        derivedFrom canonical*, status code!, experimental boolean, subjectType code*, date dateTime, \
        publisher string, contact ContactDetail*, description markdown, useContext UsageContext*, \
        jurisdiction CodeableConcept*, purpose markdown, copyright markdown, approvalDate date, lastReviewDate date, \
        effectivePeriod Period, code Coding*, item Questionnaire.item*
        Questionnaire.item: linkId string!, definition uri, code Coding*, prefix string, text string, type code!, \
        enableWhen Questionnaire.enableWhen*, enableBehavior code, required boolean, repeats boolean, \
        readOnly boolean, maxLength integer, answerValueSet canonical, answerOption Questionnaire.answerOption*, \
        initial Questionnaire.initial*, item Questionnaire.item*
        Questionnaire.enableWhen: question string!, operator code!, \
        answer[x] boolean|decimal|integer|date|dateTime|time|string|Coding|Quantity|Reference!
        Questionnaire.answerOption: value[x] integer|date|time|string|Coding|Reference!, initialSelected boolean
        Questionnaire.initial: value[x] \
        boolean|decimal|integer|date|dateTime|time|string|uri|Attachment|Coding|Quantity|Reference!

        QuestionnaireResponse: identifier Identifier, basedOn Reference*, partOf Reference*, \
        questionnaire canonical, status code!, subject Reference, encounter Reference, authored dateTime, \
        author Reference, source Reference, item QuestionnaireResponse.item*
        QuestionnaireResponse.item: linkId string!, definition uri, text string, \
        answer QuestionnaireResponse.answer*, item QuestionnaireResponse.item*
        QuestionnaireResponse.answer: value[x] \
        boolean|decimal|integer|date|dateTime|time|string|uri|Attachment|Coding|Quantity|Reference, \
        item QuestionnaireResponse.item*

        ValueSet: url uri, identifier Identifier*, version string, name string, title string, status code!, \
        experimental boolean, date dateTime, publisher string, contact ContactDetail*, description markdown, \
        useContext UsageContext*, jurisdiction CodeableConcept*, immutable boolean, purpose markdown, \
        copyright markdown, compose ValueSet.compose, expansion ValueSet.expansion
        ValueSet.compose: lockedDate date, inactive boolean, include ValueSet.include*!, exclude ValueSet.include*
        ValueSet.include: system uri, version string, concept ValueSet.concept*, filter ValueSet.filter*, \
        valueSet canonical*
        ValueSet.concept: code code!, display string, designation ValueSet.designation*
        ValueSet.designation: language code, use Coding, value string!
        ValueSet.filter: property code!, op code!, value string!
        ValueSet.expansion: identifier uri, timestamp dateTime!, total integer, offset integer, \
        parameter ValueSet.parameter*, contains ValueSet.contains*
        ValueSet.parameter: name string!, value[x] string|boolean|integer|decimal|uri|code|dateTime
        ValueSet.contains: system uri, abstract boolean, inactive boolean, version string, code code, \
        display string, designation ValueSet.designation*, contains ValueSet.contains*

        Annotation: author[x] Reference|string, time dateTime, text markdown!
        Attachment: contentType code, language code, data base64Binary, url url, size unsignedInt, \
        hash base64Binary, title string, creation dateTime
        CodeableConcept: coding Coding*, text string
        Coding: system uri, version string, code code, display string, userSelected boolean
        ContactDetail: name string, telecom ContactPoint*
        ContactPoint: system code, value string, use code, rank positiveInt, period Period
        Extension: url uri!, value[x] \
        base64Binary|boolean|canonical|code|date|dateTime|decimal|id|instant|integer|markdown|oid|positiveInt|\
        string|time|unsignedInt|uri|url|uuid|Address|Age|Annotation|Attachment|CodeableConcept|Coding|ContactPoint|\
        Count|Distance|Duration|HumanName|Identifier|Money|Period|Quantity|Range|Ratio|Reference|SampledData|\
        Signature|Timing|ContactDetail|Contributor|DataRequirement|Expression|ParameterDefinition|\
        RelatedArtifact|TriggerDefinition|UsageContext|Dosage|Meta
        Identifier: use code, type CodeableConcept, system uri, value string, period Period, assigner Reference
        Meta: versionId id, lastUpdated instant, source uri, profile canonical*, security Coding*, tag Coding*
        Money: value decimal, currency code
        Narrative: status code!, div xhtml!
        Period: start dateTime, end dateTime
        Quantity: value decimal, comparator code, unit string, system uri, code code
        Range: low Quantity, high Quantity
        Ratio: numerator Quantity, denominator Quantity
        Reference: reference string, type uri, identifier Identifier, display string
        UsageContext: code Coding!, value[x] CodeableConcept|Quantity|Range|Reference!
        """

    /// Types in extensions and contained resources that Gate does not look into.
    static let unseen: Set<String> = [
        "Address", "Contributor", "DataRequirement", "Dosage", "Expression", "HumanName", "ParameterDefinition",
        "RelatedArtifact", "Resource", "SampledData", "Signature", "Timing", "TriggerDefinition",
    ]

    /// The elements that types have in common: resources, elements of resources, and data types.
    static let bases: [(owns: @Sendable (String) -> Bool, elements: [String: String])] = [
        (
            { resources.contains($0) },
            [
                "resourceType": "code!", "id": "id", "meta": "Meta", "implicitRules": "uri", "language": "code",
                "text": "Narrative", "contained": "Resource*", "extension": "Extension*",
                "modifierExtension": "Extension*",
            ]
        ), ({ $0.contains(".") }, ["id": "string", "extension": "Extension*", "modifierExtension": "Extension*"]),
        ({ !$0.contains(".") && !resources.contains($0) }, ["id": "string", "extension": "Extension*"]),
    ]

    private static let resources: Set<String> = ["Questionnaire", "QuestionnaireResponse", "ValueSet"]
}
