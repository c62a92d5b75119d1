import GateForms
import GateModel
import Testing

@Suite("Limits that move with the day")
struct KnownLimitsTests {
    private static let form = Form.json(
        """
        {"linkId": "start", "type": "date", "text": "Start", "extension": [
            {"url": "http://hl7.org/fhir/StructureDefinition/minValue", "_valueDate": {"extension": [
                {"url": "http://hl7.org/fhir/StructureDefinition/cqf-expression",
                 "valueExpression": {"language": "text/fhirpath", "expression": "today()"}}]}},
            {"url": "http://hl7.org/fhir/StructureDefinition/maxValue", "_valueDate": {"extension": [
                {"url": "http://hl7.org/fhir/StructureDefinition/cqf-expression",
                 "valueExpression": {"language": "text/fhirpath", "expression": "today() + 1 year"}}]}}]},
        {"linkId": "box", "type": "group", "text": "Box", "item": [
            {"linkId": "end", "type": "date", "text": "End", "extension": [
                {"url": "http://hl7.org/fhir/StructureDefinition/minValue", "_valueDate": {"extension": [
                    {"url": "http://hl7.org/fhir/StructureDefinition/cqf-expression",
                     "valueExpression": {"language": "text/fhirpath",
                        "expression": "%resource.item.where(linkId = 'start').answer.value"}}]}},
                {"url": "http://hl7.org/fhir/StructureDefinition/maxValue", "valueDate": "2040-01-01"}]}]}
        """)

    @Test(
        "a limit that depends on the day alone is known beforehand; one that depends on answers is left to the daemon"
    )
    func limits() throws {
        let read = try #require(try Form.read(Self.form).questionnaire)
        let noon = try LocalTime(#require(CivilDate("2026-11-28")).noon)
        let limited = read.limited(at: noon)
        #expect(limited.items[0].constraints.minimum == FormDate("2026-11-28").map(FormValue.date))
        #expect(limited.items[0].constraints.maximum == FormDate("2027-11-28").map(FormValue.date))
        let end = limited.items[1].items[0].constraints
        #expect(end.minimum == nil && end.maximum == FormDate("2040-01-01").map(FormValue.date))
    }
}

extension CivilDate {
    fileprivate var noon: WallTime { WallTime(unixMilliseconds: daysSince1970 * 86_400_000 + 43_200_000) }
}
