/// What the kernel's files said at a moment, as text.
struct SystemSnapshot: Sendable, Hashable {
    var interfaces: [Interface] = []
    /// `/proc/net/route`
    var ipv4Routes = ""
    /// `/proc/net/ipv6_route`
    var ipv6Routes = ""
    /// The way to the host that the monitor was made for; `nil` where it is for all.
    var hostRoute: HostRoute.Answer?

    /// The files of `/sys/class/net/NAME`; what can't be read is empty.
    struct Interface: Sendable, Hashable {
        var name: String
        /// A state of RFC 2863: `up`, `down`, `unknown`, `dormant`…
        var operationalState = ""
        /// `1` or `0`; an interface that was switched off has none.
        var carrier = ""
        /// A number of `<linux/if_arp.h>`.
        var type = ""
        /// Whether there is a folder `wireless`, or a link `phy80211` where the kernel has none of the old kind.
        var isWireless = false
    }
}
