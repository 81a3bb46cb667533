type Known = readonly (readonly [pattern: RegExp, reason: string])[];

const interfaceFields = "(?:firewall_id|default_route|public|vpc|vlan)";
const newConfigFields =
  "(?:protocol|algorithm|stickiness|cipher_suite): one of |udp_check_port: not there|nodes: not there";

/** Where the simulator differs from the document 4.189.0 on purpose, and why. */
export const requestDifferencesKnown: Known = [
  // Parameters.
  [/^GET \S+ \?\.page(?:_size)?: not there$/, "every list comes in pages, and clients ask for them"],
  [/^GET volumes\/\* \?\.page(?:_size)?: only there$/, "one volume has no pages"],

  // What the API took up after the document was written.
  [/^PUT account\/settings\.(?:interfaces_for_new_linodes|maintenance_policy): not there$/, "newer"],
  [
    /^POST linode\/instances\.(?:boot_size|disk_encryption|interface_generation|kernel|ipv4|maintenance_policy|network_helper): not there$/,
    "newer",
  ],
  [new RegExp(String.raw`^POST linode/instances\.interfaces\[\]\.${interfaceFields}: not there$`), "newer"],
  [/^POST linode\/instances\.interfaces\[\]: required none, there purpose$/, "those of the newer generation have none"],
  [/^POST linode\/instances\.interfaces: fewest none, there 1$/, "an instance may have none from the start"],
  [/^PUT linode\/instances\/\*\.maintenance_policy: not there$/, "newer"],
  [/^POST linode\/instances\/\*\/(?:rebuild|disks)\.disk_encryption: not there$/, "newer"],
  [
    /^POST linode\/instances\/\*\/rebuild: required image, there image root_pass$/,
    "keys will do, as for a new instance",
  ],
  [/(?:placement_group|placement\/groups\/\*\/assign)\.compliant_only: not there$/, "newer"],
  [/(?:in|out)bound\[\]\.ruleset: not there$/, "newer"],
  [/^POST object-storage\/buckets\.(?:endpoint_type|s3_endpoint): not there$/, "newer"],
  [/^POST object-storage\/buckets\/\*\/\*\/object-url\.content_disposition: not there$/, "newer"],
  [/configs(?:\/\*)?(?:\/interfaces(?:\/\*)?|\.interfaces\[\])\.ipv6: not there$/, "newer"],
  [/^POST linode\/instances\.interfaces\[\]\.ipv6: not there$/, "newer"],
  [/configs(?:\/\*)?\.devices\.sd(?:[i-z]|a[a-z]|b[a-l]): not there$/, "newer"],
  [/^POST networking\/firewalls\.devices\.linode_interfaces: not there$/, "newer"],
  [/^POST networking\/firewalls\/\*\/devices\.type: one of linode linode_interface nodebalancer, there /, "newer"],
  [
    /^(?:POST linode\/instances\/\*\/ips|POST networking\/ips|PUT networking\/ips\/\*)\.(?:address|reserved|region): not there$/,
    "newer",
  ],
  [/^POST networking\/ips: required public type|^PUT networking\/ips\/\*: required none/, "newer: reserved addresses"],
  [/^(?:POST|PUT) nodebalancers(?:\/\*)?\.(?:client_udp_sess_throttle|type|ipv4|vpcs): not there$/, "newer"],
  [new RegExp(String.raw`^(?:POST|PUT) nodebalancers\S*\.(?:${newConfigFields})`), "newer: UDP, and nodes at once"],
  [/^(?:POST|PUT) nodebalancers\S*\.subnet_id: not there$/, "newer"],
  [/^(?:POST|PUT) vpcs\S*\.(?:ipv4|ipv6): not there$/, "newer"],
  [/^POST vpcs\/\*\/subnets: required label, there ipv4 label$/, "newer: IPv6 alone will do"],
  [/^POST object-storage\/buckets: required label, there cluster label$/, "or region, which has replaced clusters"],
  [/^POST object-storage\/(?:buckets|keys\.bucket_access\[\])\.cluster: not there$/, "older; there only required"],
  [/^POST volumes\/\*\/resize\.size: most 16384, there 10240$/, "newer"],
  [/^POST tags\.reserved_ipv4_addresses: not there$|^POST vpcs\.vpc_type: not there$/, "newer"],

  [/^POST volumes\.persist_across_boots: not there$/, "as when it is attached"],

  // What clients send, and the API takes: linodego writes null for what is empty.
  [
    /(?:tags|axfr_ips|master_ips|inbound|outbound|user_data|config_id|description): null true, there false$/,
    "linodego",
  ],
  [/devices\.sd\w(?:\.\w+)?: null true, there false$/, "a slot without a device"],
  [/configs(?:\/\*)?\.interfaces: null true, there false$/, "linodego"],
  [/^POST account\/payments\.cvv: not there$/, "linodego"],

  // Limits that the document only describes.
  [/tags\[\]: (?:shortest 3|longest 50), there none$/, "described"],
  [/^\S+ images\S*\.(?:label|description): longest \d+, there none$/, "described"],
  [/^\S+ linode\/instances\S*\.label: pattern /, "described: begins and ends with a letter or digit"],
  [/(?:root_pass|password): (?:shortest 7|longest 128), there none$/, "as for a new instance"],
  [/(?:swap_size|memory_limit|alerts\.\w+): least 0, there none$/, "cannot be less than nothing"],
  [/^POST linode\/instances\/\*\/disks\.size: least 1, there none$/, "cannot be nothing"],
  [/^POST volumes(?:\/\*\/resize)?\.size: (?:least 10|most 16384), there none$/, "described"],
  [/script: longest 65535, there none$/, "described"],
  [/addresses\.ipv[46]: most 255, there none$/, "described"],
  [/^\S+ object-storage\/(?:buckets|keys)\S*\.label: (?:shortest|longest|pattern) /, "described, or in the pattern"],
  [/^\S+ placement\/groups\S*\.label: (?:longest|pattern) /, "described"],
  [/^\S+ vpcs\S*\.label: pattern /, "described"],
  [/^POST domains\/import\.domain: /, "as for a new domain"],
  [/^\S+ domains\S*records\S*\.name: shortest none, there 1$/, "an empty name is that of the domain itself"],
  [/^\S+ nodebalancers\S*\.label: pattern /, "the same, with the lengths apart"],
  [/root_device: pattern \S+, there a-z, A-Z/, "described in place of a pattern"],

  // What the document forgets to require.
  [/^PUT account\/users\/\*\/grants\.\w+\[\]: required id permissions, there none$/, "nothing could be done without"],
  [/^POST images\/\*\/regions: required regions, there none$/, "nothing could be done without"],
  [/placement_group: required id, there none$/, "nothing could be done without"],
  [/^POST placement\/groups\/\*\/(?:un)?assign: required linodes, there none$/, "nothing could be done without"],
  [/^POST object-storage\/keys(?:\.bucket_access\[\])?: required \S.*, there none$/, "nothing could be done without"],
  [/^POST vpcs\.subnets\[\]: required label, there none$/, "as for a subnet by itself"],
  [/rules: required inbound_policy outbound_policy, there none$/, "linodego and the API's own examples have them"],
  [/nodes\[\]: required address label, there none$/, "as for a node by itself"],
  [/^POST nodebalancers\.configs\[\]: required none, there nodes$/, "a port may be opened before there are backends"],

  // Formats that hold for one purpose only; the handlers check them.
  [/interfaces\S*\.label: (?:shortest none, there 1|pattern )/, "empty outside of VLANs"],
  [
    /^POST linode\/instances\/\*\/configs\.interfaces: fewest none|^PUT \S+configs\/\*\.interfaces: fewest none/,
    "none",
  ],
  [/ipam_address: format ip\/netmask only there$/, "empty outside of VLANs"],
  [/nat_1_1: format ip only there$/, "or any"],
  [/nodes\S*\.address: format ip only there$/, "an address and a port"],
  [/subnets\S*\.ipv4: format ip only there$/, "a network"],
];

/** The same of what it answers. */
export const answerDifferencesKnown: Known = [
  // Null where there is nothing; the document rarely says that.
  [
    /(?:expiry|last_four|longview_subscription|finished|when|until|rate|gateway|rdns|nat_1_1|config_id): null$/,
    "nothing",
  ],
  [
    /(?:secondary_entity|last_successful|migrating_to|snapshot\.(?:current|in_progress)|bucket_access): null$/,
    "nothing",
  ],
  [/devices\.sd\w(?:\.volume_id)?: null$/, "nothing"],

  // What the API took up after the document was written.
  [
    /events\S*\.action: "(?:domain_\w+|lock_\w+|firewall_rules_update|firewall_ruleset_\w+|interface_\w+)", there /,
    "newer, or left out",
  ],
  [
    /events\S*\.entity\.type: "(?:firewall_ruleset|lock|obj_access_key|placement_group|subnet|vpc)", there /,
    "newer, or left out",
  ],
  [/^(?:GET|PUT) account\/settings\.(?:interfaces_for_new_linodes|maintenance_policy)/, "newer"],
  [/^P\w+ networking\/firewalls\S*(?:in|out)bound\[\]\.(?:ruleset: not|\w+: only) there$/, "newer: sets of rules"],
  [/linode\/instances\S*\.(?:disk_encryption|interface_generation|maintenance_policy): not there$/, "newer"],
  [/tags\/\*\S*\.data\.(?:disk_encryption|interface_generation|maintenance_policy): not there$/, "newer"],
  [/^GET images\S*\.image_sharing: not there$/, "newer"],
  [/backups\S*\.region: not there$/, "newer"],
  [/(?:firewalls\S*|firewalls)\.entities: not there$/, "newer"],
  [/ipv6\/ranges\.data\[\]\.linodes: not there$/, "newer"],
  [/nodebalancers\S*\.(?:client_udp_sess_throttle|type): not there$/, "newer"],
  [/disks\S*\.disk_encryption: not there$/, "newer"],
  [/ips\S*\.reserved: not there$|networking\/ips\.linode_id: null$/, "newer"],
  [/configs\S*\.udp_check_port: not there$|nodes\S*\.vpc_config_id: not there$/, "newer"],
  [/object-storage\/buckets\S*\.(?:endpoint_type|s3_endpoint|exists): not there$/, "newer"],
  [/interfaces\S*\.ipv6: not there$|ips\.ipv6\.vpc: not there$/, "newer"],
  [/vpcs\S*\.(?:ipv4|ipv6|ipv6_\w+|nodebalancers|nodebalancer_id): not there$/, "newer"],
  [/placement\/groups\S*\.migrations: not there$|placement_group\.migrating_to: not there$/, "newer"],
  [/child-accounts\S*\.active_promotions: not there$|child-accounts\S*\.billing_source: "linode"/, "as an account"],
  [/object-storage\/keys\S*\.regions\[\]\.endpoint_type: not there$/, "newer"],
  [/^POST account\/users\.user_type: not there$/, "as in the answers to GET"],
  [/\.(?:accelerated_devices|system_alerts|user_alerts|site_type|locks|logo_url|ordinal): not there$/, "newer"],
  [/\.(?:interface_id|assigned_entity|parent_entity|vpc_type|databases|database_id): not there$/, "newer"],
  [/\.(?:frontend_address_type|frontend_vpc_subnet_id|lke_cluster|udp_session_timeout): not there$/, "newer"],
  [/\.(?:io_ready|has_usage|quota_type|details|monitors|is_shared|errors): not there$/, "newer"],
  [/configs\S*\.(?:initrd|created|updated): not there$/, "newer"],
  [/ips\S*\.(?:tags|vpc_nat_1_1|nodebalancer_id): not there$/, "newer"],
  [/maximum_linodes_per_flexible_pg: not there$/, "newer"],
  [/interfaces\S*\.ipv4: null$|placement\/groups\S*\.migrations: null$/, "nothing"],

  // Fields of one kind only.
  [/^PUT object-storage\/keys\/\*\.bucket_access: not there$/, "as in the answers to GET"],
  [/^GET tags\/\*\.data\[\]\.data\.ipv4: array, there string$/, "the document mixes four kinds of things"],
  [/payment-methods\S*\.data\.(?:email|paypal_id): only there$/, "of PayPal"],
  [/user_defined_fields\[\]\.(?:manyOf|oneOf): only there$/, "of those that have it"],
  [/object-list\.data\[\]\.(?:etag|last_modified|owner|size): only there$/, "a name up to the delimiter has none"],
  [
    /^GET tags\/\*\.data\[\]\.data\.\w+: (?:only there|not there|"[^"]+", there .*)$/,
    "the document mixes four kinds of things",
  ],

  // Where linodego, which works with the API, and the document do not agree.
  [
    /events\S*\.(?:secondary_)?entity\.id: (?:string, there integer|integer, there string)$/,
    "a number, or the id of an image",
  ],
  [/stats\S*\.(?:cpu|io|netv4|netv6): only there$|stats\S*\.data: not there$/, "the series are in data"],
  [/firewalls\/\*\/history/, "rules by version"],
  [/domains\S*\.(?:created|updated): not there$/, "the API answers them"],
  [/regions\S*\.site[-_]type: /, "written site_type"],
  [/nodes\S*\.status: "Unknown", there /, "the API writes it so"],
];
