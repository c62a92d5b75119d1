import CGTK
import GateScreens
import GateWindows

/// The window: a list of pages, the chosen page, and a notice above it.
@GLibLoop
final class SettingsWindow {
    private let interface = Interface(PackageResources.window_ui)
    let window: Widget
    private let told: @GLibLoop (PageInput) -> Void
    private var pages: [SettingsPage.ID: PageDrawing] = [:]
    /// The page that the person chose. It may not exist at the moment.
    private(set) var wanted: SettingsPage.ID
    private var shown: SettingsPage.ID?
    /// The pages in the list, and their entries there.
    private var listed: [SettingsPage.ID] = []
    private var entries: [SettingsPage.ID: PageEntry] = [:]
    private var isSelecting = false

    /// - Parameters:
    ///   - page: the page that is shown first, if it exists.
    ///   - told: called with what the person did on a page.
    ///   - chosen: called when another page was chosen.
    ///   - noticeClosed: called when the person closed the notice.
    init(
        _ page: SettingsPage.ID, told: @escaping @GLibLoop (PageInput) -> Void, chosen: @escaping @GLibLoop () -> Void,
        noticeClosed: @escaping @GLibLoop () -> Void
    ) {
        wanted = page
        self.told = told
        window = interface.widget("window")
        gtk_window_set_title(UnsafeMutablePointer(window.pointer), SettingsWords.title)
        adw_window_title_set_title(interface.widget("title").pointer, SettingsWords.title)
        let list = interface.widget("list")
        list.setSpoken(name: SettingsWords.title)
        list.on("row-selected") { [weak self] in self?.selected(chosen) }
        list.on("row-activated") { [weak self] in self?.showContent() }
        // Tab leads from the list to the page. By itself it would go to the next entry, which changes the page.
        let stack = interface.widget("stack")
        list.onKey { $0 == UInt32(GDK_KEY_Tab) && gtk_widget_child_focus(stack.widget, GTK_DIR_TAB_FORWARD) != 0 }
        let leaflet = interface.widget("leaflet")
        leaflet.on("notify::folded") { [weak self] in self?.folded() }
        let back = interface.widget("back")
        back.setSpoken(name: SettingsWords.back)
        back.on("clicked") { _ = adw_leaflet_navigate(leaflet.pointer, ADW_NAVIGATION_DIRECTION_BACK) }
        interface.widget("notice-close").setSpoken(name: SettingsWords.close)
        interface.widget("notice-close").on("clicked", noticeClosed)
        folded()
        showContent()
    }

    func open() { gtk_window_present(UnsafeMutablePointer(window.pointer)) }

    /// Shows a page, and the list of pages that exist now, each with the number that `count` returns for it.
    func show(
        _ page: SettingsPage, of pages: [SettingsPage.ID], _ notice: SettingsStateMachine.Notice?,
        count: (SettingsPage.ID) -> Int
    ) {
        let list = interface.widget("list")
        isSelecting = true
        if pages != listed {
            let hadFocus = list.hasFocus
            while let row = gtk_list_box_get_row_at_index(list.pointer, 0) {
                gtk_list_box_remove(list.pointer, Widget(OpaquePointer(row)).widget)
            }
            listed = pages
            entries = Dictionary(uniqueKeysWithValues: pages.map { ($0, PageEntry($0)) })
            for page in pages { entries[page].map { gtk_list_box_append(list.pointer, $0.row.widget) } }
            if hadFocus { list.takeFocus() }
        }
        for (page, entry) in entries { entry.show(count(page)) }
        if let index = pages.firstIndex(of: page.id) {
            gtk_list_box_select_row(list.pointer, gtk_list_box_get_row_at_index(list.pointer, CInt(index)))
        }
        isSelecting = false
        let drawing = drawing(of: page.id)
        drawing.show(page)
        if shown != page.id {
            shown = page.id
            // Screen readers find each widget that is visible, even if the stack does not show it.
            for (id, other) in self.pages { other.widget.setVisible(id == page.id) }
            gtk_stack_set_visible_child(interface.widget("stack").pointer, drawing.widget.widget)
            adw_window_title_set_title(interface.widget("page-title").pointer, SettingsWords.title(of: page.id))
        }
        interface.widget("notice").setVisible(notice != nil)
        interface.widget("notice-text").setText(notice?.text ?? "")
        interface.widget("notice-close").setVisible(notice?.isClosable ?? false)
    }

    /// Calls the body when the window gets the keyboard focus.
    func onActivated(_ body: @escaping @GLibLoop () -> Void) {
        let window = window
        window.on("notify::is-active") {
            if gtk_window_is_active(UnsafeMutablePointer(window.pointer)) != 0 { body() }
        }
    }

    private func drawing(of id: SettingsPage.ID) -> PageDrawing {
        if let page = pages[id] { return page }
        let page = PageDrawing(told)
        pages[id] = page
        gtk_stack_add_child(interface.widget("stack").pointer, page.widget.widget)
        return page
    }

    private func selected(_ chosen: @GLibLoop () -> Void) {
        guard !isSelecting, let row = gtk_list_box_get_selected_row(interface.widget("list").pointer) else { return }
        let index = Int(gtk_list_box_row_get_index(row))
        guard listed.indices.contains(index), listed[index] != wanted else { return }
        wanted = listed[index]
        chosen()
    }

    private func showContent() {
        adw_leaflet_set_visible_child(interface.widget("leaflet").pointer, interface.widget("content").widget)
    }

    private func folded() {
        let isFolded = adw_leaflet_get_folded(interface.widget("leaflet").pointer) != 0
        interface.widget("back").setVisible(isFolded)
        // In a narrow window the list fills the window, and needs the window's buttons.
        adw_header_bar_set_show_end_title_buttons(interface.widget("sidebar-header").pointer, isFolded ? 1 : 0)
    }
}
