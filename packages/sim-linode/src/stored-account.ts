import type {
  Account,
  AccountBetaProgram,
  AccountNotification,
  AccountSettings,
  Agreements,
  EntityGrants,
  Grants,
  Invoice,
  InvoiceItem,
  Login,
  Maintenance,
  OAuthClient,
  Payment,
  PaymentMethod,
  ServiceTransfer,
  User,
} from "@capstan/linode-client";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type StoredInvoice = Invoice & { readonly items: readonly InvoiceItem[] };

type Permission = EntityGrants[number]["permissions"];

/** Permissions of a restricted user; for things, by their ids. */
type StoredGrants = { readonly global?: Grants["global"] } & {
  readonly [K in Exclude<keyof Grants, "global">]?: Readonly<Record<number, Permission>>;
};

/** Contents of an account apart from the things in it. */
export interface StoredAccount {
  details: Account;
  settings: AccountSettings;
  agreements: Agreements;
  users: Mutable<User>[];
  /** By user. */
  grants: Record<string, StoredGrants>;
  oauthClients: Mutable<OAuthClient>[];
  paymentMethods: Mutable<PaymentMethod>[];
  payments: Payment[];
  /** USD that await to be executed, by the id of the payment. */
  stagedPayments: Record<string, number>;
  transfers: Mutable<ServiceTransfer>[];
  logins: Login[];
  invoices: StoredInvoice[];
  maintenance: Maintenance[];
  notifications: AccountNotification[];
  childAccounts: Account[];
  /** Files of earlier releases have none of these. */
  betas?: AccountBetaProgram[];
  /** Pictures of OAuth clients, base64, by the id of the client. */
  thumbnails?: Record<string, string>;
}

/** The one user that every account has. */
export const owner = "simulator";

const firstDay = "2024-01-01T00:00:00";

/** One that everything was paid with before the simulation began. */
const firstInvoice: StoredInvoice = {
  id: 1,
  label: "Invoice",
  date: firstDay,
  billing_source: "linode",
  subtotal: 5,
  tax: 0,
  total: 5,
  tax_summary: [],
  items: [
    {
      label: "Nanode 1GB",
      type: "hourly",
      from: "2023-12-01T00:00:00",
      to: "2023-12-31T23:59:59",
      region: "us-ord",
      quantity: 744,
      unit_price: "0.0075",
      amount: 5,
      tax: 0,
      total: 5,
    },
  ],
};

const details: Account = {
  euuid: "00000000-0000-4000-8000-000000000000",
  active_since: firstDay,
  balance: 0,
  balance_uninvoiced: 0,
  billing_source: "linode",
  capabilities: [
    "Linodes",
    "NodeBalancers",
    "Block Storage",
    "Object Storage",
    "Cloud Firewall",
    "Vlans",
    "VPCs",
    "Placement Group",
    "Linode Interfaces",
  ],
  credit_card: { expiry: null, last_four: null },
  active_promotions: [],
  first_name: "Sim",
  last_name: "Ulator",
  company: "",
  email: "simulator@example.org",
  phone: "",
  address_1: "",
  address_2: "",
  city: "",
  state: "",
  zip: "",
  country: "US",
  tax_id: "",
};

/** The account of someone who has only just come. */
export const newAccount = (): StoredAccount => ({
  details,
  settings: {
    managed: false,
    backups_enabled: false,
    network_helper: true,
    longview_subscription: null,
    object_storage: "active",
    interfaces_for_new_linodes: "legacy_config_default_but_linode_allowed",
    maintenance_policy: "linode/migrate",
  },
  agreements: { eu_model: false, master_service_agreement: false, privacy_policy: true },
  users: [
    {
      username: owner,
      email: "simulator@example.org",
      restricted: false,
      user_type: "default",
      tfa_enabled: false,
      ssh_keys: [],
      verified_phone_number: null,
      password_created: null,
      last_login: null,
    },
  ],
  grants: {},
  oauthClients: [],
  paymentMethods: [],
  payments: [],
  stagedPayments: {},
  transfers: [],
  logins: [{ id: 1, datetime: firstDay, ip: "192.0.2.1", username: owner, restricted: false, status: "successful" }],
  invoices: [firstInvoice],
  maintenance: [],
  notifications: [],
  childAccounts: [],
});
