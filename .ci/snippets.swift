// What the Swift in the pages takes for granted: an app, and what is in it. Compiled by .ci/snippets alone.
import GateClient

let gate = GateClient()
let url = "https://example.org/"
let name = "Anna"
let birthday = FormDate("2018-05-01")!
let photoStoreUID: UInt32 = 1001
let proof: [UInt8] = []

@MainActor func open(_ url: String) {}
@MainActor func thank() {}
@MainActor func showFilters() {}
@MainActor func ask(_ form: FormSession, _ question: FormPath) async {}
@MainActor func show(_ response: QuestionnaireResponse) {}
@MainActor func offer(_ suggestion: PendingSuggestion) {}
@MainActor func enginePower() async -> FormQuantity { FormQuantity(value: FormDecimal("75"), unit: "kW") }
let browser = Browser()
let map = StarMap(gate: gate)
let mySheet = Sheet()
let photoStore = PhotoStore()

struct Browser {
    func open(_ url: String) {}
}

struct MyApp {
    let gate: GateClient
}

@MainActor final class StarMap {
    enum Layer { case stars, nebulae }
    private(set) var layer = Layer.stars

    nonisolated init(gate: GateClient) {}
    func show(_ layer: Layer) {}
    func showNebulae() async {}
}

struct Sheet {
    func ask(_ shown: OpenPresentation) async -> PresentationAnswer { .dismiss }
}

struct PhotoStore {
    func delete(_ photo: String, proof: [UInt8]) async throws {}
}
let questionnaireJSON: [UInt8] = []
