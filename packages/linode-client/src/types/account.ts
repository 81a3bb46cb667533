import type { Open } from "./api.ts";
import type { MaintenancePolicy } from "./instances.ts";

type Access = Open<"read_only" | "read_write"> | null;

/** Postal address and contact of an account, all of it as text. */
export interface AccountContact {
  readonly first_name: string;
  readonly last_name: string;
  readonly company: string;
  readonly email: string;
  readonly phone: string;
  readonly address_1: string;
  readonly address_2: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
  readonly tax_id: string;
}

export interface Account extends AccountContact {
  readonly euuid: string;
  readonly active_since: string;
  readonly balance: number;
  readonly balance_uninvoiced: number;
  readonly billing_source: Open<"akamai" | "linode" | "external">;
  readonly capabilities: readonly string[];
  readonly credit_card: { readonly expiry: string | null; readonly last_four: string | null };
  readonly active_promotions?: readonly PromoCredit[];
}

export type UpdateAccount = Partial<AccountContact>;

export interface PromoCredit {
  readonly summary: string;
  readonly description: string;
  readonly image_url: string;
  readonly service_type: Open<"all" | "linode" | "backup" | "blockstorage" | "nodebalancer" | "objectstorage">;
  readonly credit_monthly_cap: string;
  readonly credit_remaining: string;
  readonly this_month_credit_remaining: string;
  readonly expire_dt: string | null;
}

export interface Agreements {
  readonly eu_model: boolean;
  readonly master_service_agreement: boolean;
  readonly privacy_policy: boolean;
}

/** The services that the account may use in a region. */
export interface RegionServices {
  readonly region: string;
  readonly available: readonly string[];
  readonly unavailable: readonly string[];
}

/** A token that acts for a child account. */
export interface ProxyToken {
  readonly id: number;
  readonly label: string;
  readonly token: string;
  readonly scopes: string;
  readonly created: string;
  readonly expiry: string;
}

/** Linodes on their way to another account. */
export interface ServiceTransfer {
  readonly token: string;
  readonly entities: { readonly linodes: readonly number[] };
  readonly status: Open<"accepted" | "canceled" | "completed" | "failed" | "pending" | "stale">;
  readonly is_sender: boolean;
  readonly created: string;
  readonly updated: string;
  readonly expiry: string;
}

export interface CreateServiceTransfer {
  readonly entities: { readonly linodes?: readonly number[] };
}

export interface Invoice {
  readonly id: number;
  readonly label: string;
  readonly date: string;
  readonly billing_source: Open<"akamai" | "linode">;
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
  readonly tax_summary: readonly { readonly name: string; readonly tax: number }[];
}

export interface InvoiceItem {
  readonly label: string;
  readonly type: Open<"hourly" | "misc">;
  readonly from: string | null;
  readonly to: string | null;
  readonly region: string | null;
  readonly quantity: number | null;
  readonly unit_price: string | null;
  readonly amount: number;
  readonly tax: number;
  readonly total: number;
}

export interface Login {
  readonly id: number;
  readonly datetime: string;
  readonly ip: string;
  readonly username: string;
  readonly restricted: boolean;
  readonly status: Open<"successful" | "failed">;
}

export interface Maintenance {
  readonly entity: { readonly id: number; readonly label: string; readonly type: string; readonly url: string };
  readonly type: Open<"reboot" | "cold_migration" | "live_migration">;
  readonly status: Open<"completed" | "pending" | "started">;
  readonly reason: string;
  readonly when: string;
}

export interface AccountNotification {
  readonly type: Open<"migration_scheduled" | "reboot_scheduled" | "outage" | "payment_due" | "notice" | "maintenance">;
  readonly severity: Open<"minor" | "major" | "critical">;
  readonly label: string;
  readonly message: string;
  readonly body: string | null;
  readonly entity: {
    readonly id: number | null;
    readonly label: string | null;
    readonly type: string;
    readonly url: string | null;
  } | null;
  readonly when: string | null;
  readonly until: string | null;
}

export interface OAuthClient {
  readonly id: string;
  readonly label: string;
  readonly public: boolean;
  readonly redirect_uri: string;
  /** Complete only in the answers to `create` and `resetSecret`. */
  readonly secret: string;
  readonly status: Open<"active" | "disabled" | "suspended">;
  readonly thumbnail_url: string | null;
}

export interface CreateOAuthClient {
  readonly label: string;
  readonly redirect_uri: string;
  readonly public?: boolean;
}

export interface PaymentMethod {
  readonly id: number;
  readonly type: Open<"credit_card" | "google_pay" | "paypal">;
  readonly is_default: boolean;
  readonly created: string;
  readonly data: {
    readonly card_type?: string;
    readonly expiry?: string;
    readonly last_four?: string;
    readonly email?: string;
    readonly paypal_id?: string;
  };
}

export interface CreditCard {
  readonly card_number: string;
  readonly cvv: string;
  readonly expiry_month: number;
  readonly expiry_year: number;
}

export interface CreatePaymentMethod {
  readonly type: "credit_card";
  readonly is_default: boolean;
  readonly data: CreditCard;
}

export interface Payment {
  readonly id: number;
  readonly date: string;
  readonly usd: number;
}

export interface CreatePayment {
  /** For example `120.50`. */
  readonly usd?: string;
  readonly payment_method_id?: number;
  /** The security code of the card on file. */
  readonly cvv?: string;
}

/** Something that is tried out before everybody has it. */
export interface BetaProgram {
  readonly id: string;
  readonly label: string;
  readonly description: string | null;
  readonly started: string;
  readonly ended: string | null;
  readonly greenlight_only: boolean;
  readonly more_info: string | null;
}

/** One that the account takes part in. */
export interface AccountBetaProgram extends Omit<BetaProgram, "greenlight_only" | "more_info"> {
  readonly enrolled: string;
}

export interface AccountSettings {
  readonly managed: boolean;
  readonly backups_enabled: boolean;
  readonly network_helper: boolean;
  readonly longview_subscription: string | null;
  readonly object_storage: Open<"disabled" | "suspended" | "active">;
  readonly interfaces_for_new_linodes?: Open<
    | "legacy_config_only"
    | "legacy_config_default_but_linode_allowed"
    | "linode_default_but_legacy_config_allowed"
    | "linode_only"
  >;
  /** The default for new instances. */
  readonly maintenance_policy?: MaintenancePolicy;
}

export interface UpdateAccountSettings {
  readonly backups_enabled?: boolean;
  readonly network_helper?: boolean;
  readonly interfaces_for_new_linodes?: NonNullable<AccountSettings["interfaces_for_new_linodes"]>;
  readonly maintenance_policy?: MaintenancePolicy;
}

/** GB of this month. */
export interface Transfer {
  readonly used: number;
  readonly quota: number;
  readonly billable: number;
}

export interface AccountTransfer extends Transfer {
  readonly region_transfers: readonly (Transfer & { readonly id: string })[];
}

export interface User {
  readonly username: string;
  readonly email: string;
  readonly restricted: boolean;
  readonly user_type: Open<"parent" | "child" | "proxy" | "default">;
  readonly tfa_enabled: boolean;
  readonly ssh_keys: readonly string[];
  readonly verified_phone_number: string | null;
  readonly password_created: string | null;
  readonly last_login: { readonly login_datetime: string; readonly status: Open<"successful" | "failed"> } | null;
}

export interface CreateUser {
  readonly username: string;
  readonly email: string;
  readonly restricted?: boolean;
}

/** The grants of a restricted user for resources of one kind. */
export type EntityGrants = readonly { readonly id: number; readonly label: string; readonly permissions: Access }[];

type GrantedKind =
  | "database"
  | "domain"
  | "firewall"
  | "image"
  | "linode"
  | "longview"
  | "nodebalancer"
  | "placement_group"
  | "stackscript"
  | "volume"
  | "vpc";

export interface Grants extends Readonly<Record<GrantedKind, EntityGrants>> {
  readonly global: Readonly<Record<string, boolean | string | null>>;
}

/** Only what is given changes. */
export type UpdateGrants = Partial<
  Readonly<
    Record<GrantedKind, readonly { readonly id: number; readonly permissions: "read_only" | "read_write" | null }[]>
  >
> & { readonly global?: Readonly<Record<string, boolean | string | null>> };
