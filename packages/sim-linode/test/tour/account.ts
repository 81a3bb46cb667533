import { expect } from "vitest";
import type { Tourist } from "./tourist.ts";

/** The account itself: settings, users, bills, clients, transfers. */
export const tourAccount = async (world: Tourist): Promise<void> => {
  await details(world);
  await users(world);
  await bills(world);
  await clients(world);
  await betas(world);
  await transfers(world);
  await profile(world);
  await locks(world);
};

const profile = async ({ client: { profile: me }, refused }: Tourist): Promise<void> => {
  const { email, timezone } = await me.get();
  const flags = { email_notifications: false, ip_whitelist_enabled: false, two_factor_auth: false, restricted: false };
  await me.update({ email, timezone, ...flags, lish_auth_method: "keys_only", authorized_keys: [] });
  await refused(400, me.createSshKey({ label: "bad", ssh_key: "no key" }));
  const key = await me.createSshKey({ label: "laptop", ssh_key: "ssh-ed25519 AAAA me@example.org" });
  await me.updateSshKey(key.id, { label: "desk" });
  await me.getSshKey(key.id);
  await me.listSshKeys();
  await me.deleteSshKey(key.id);
  const { id, token } = await me.createToken({ label: "tour", scopes: "linodes:read_only", expiry: null });
  expect(token).toHaveLength(64);
  expect((await me.getToken(id)).token, "the rest is shown once").toBe(token.slice(0, 16));
  await me.updateToken(id, { label: "ended" });
  await me.listTokens();
  await me.deleteToken(id);
};

const locks = async ({ client, offline, refused }: Tourist): Promise<void> => {
  const { id } = await offline("locked");
  const lock = await client.locks.create({ entity_id: id, entity_type: "linode", lock_type: "cannot_delete" });
  expect((await client.instances.get(id)).locks).toEqual(["cannot_delete"]);
  await client.locks.list();
  await client.locks.get(lock.id);
  await refused(400, client.instances.delete(id));
  await client.locks.delete(lock.id);
  await client.instances.delete(id);
};

const details = async ({ client: { account }, refused, simulator }: Tourist): Promise<void> => {
  const { euuid, ...before } = await account.get();
  const { first_name, last_name, phone, address_1, address_2, city, state, country, tax_id } = before;
  const place = { address_1, address_2, city, state, country, tax_id, zip: "19102" };
  await account.update({ first_name, last_name, phone, ...place, company: "Acme", email: "me@example.org" });
  await refused(409, account.cancel({ comments: "bye" }));
  await account.settings();
  await account.updateSettings({
    backups_enabled: false,
    network_helper: true,
    interfaces_for_new_linodes: "legacy_config_default_but_linode_allowed",
    maintenance_policy: "linode/migrate",
  });
  await account.enableManaged();
  await account.transfer();
  await account.agreements();
  await account.acceptAgreements({ eu_model: true, master_service_agreement: true, privacy_policy: true });
  await account.listAvailability();
  await account.getAvailability("us-ord");
  await account.listLogins();
  await account.getLogin(1);
  simulator.state.account.childAccounts.push({ ...before, euuid: "child" });
  await account.listChildAccounts();
  await account.getChildAccount("child");
  await account.createChildToken("child");
  await refused(404, account.getChildAccount(euuid));
  simulator.state.account.maintenance.push({
    entity: { id: 1, label: "web", type: "linode", url: "/v4/linode/instances/1" },
    type: "reboot",
    status: "pending",
    reason: "new hardware",
    when: "2026-01-01T00:00:00",
  });
  await account.listMaintenance();
  simulator.state.account.notifications.push({
    type: "outage",
    severity: "major",
    label: "Outage",
    message: "The region is down.",
    body: null,
    entity: { id: 1, label: "us-ord", type: "region", url: "/v4/regions/us-ord" },
    when: null,
    until: null,
  });
  await account.listNotifications();
};

const users = async ({ client: { account } }: Tourist): Promise<void> => {
  await account.createUser({ username: "mate", email: "mate@example.org", restricted: true });
  await account.listUsers();
  await account.getUser("mate");
  await account.getGrants("mate");
  const none: readonly never[] = [];
  await account.updateGrants("mate", {
    global: {
      account_access: "read_only",
      add_databases: false,
      add_domains: true,
      add_firewalls: true,
      add_images: true,
      add_linodes: true,
      add_longview: false,
      add_nodebalancers: true,
      add_placement_groups: true,
      add_stackscripts: true,
      add_volumes: true,
      add_vpcs: true,
      cancel_account: false,
      child_account_access: null,
      longview_subscription: false,
    },
    database: none,
    domain: none,
    firewall: none,
    image: none,
    linode: none,
    longview: none,
    nodebalancer: none,
    placement_group: none,
    stackscript: none,
    volume: none,
    vpc: none,
  });
  await account.updateUser("mate", { username: "friend", email: "friend@example.org", restricted: true });
  await account.deleteUser("friend");
};

const bills = async ({ client: { account }, refused }: Tourist): Promise<void> => {
  await account.listInvoices();
  await account.getInvoice(1);
  await account.listInvoiceItems(1);
  const card = { card_number: "4111111111111111", cvv: "123", expiry_month: 12, expiry_year: 2030 };
  await account.setCreditCard(card);
  await account.addPaymentMethod({ type: "credit_card", is_default: true, data: card });
  await account.addPaymentMethod({ type: "credit_card", is_default: false, data: card });
  const [first, second] = await account.listPaymentMethods();
  await account.getPaymentMethod(second!.id);
  await account.makeDefaultPaymentMethod(second!.id);
  await account.deletePaymentMethod(first!.id);
  const { id } = await account.createPayment({ usd: "10.00", payment_method_id: second!.id, cvv: "123" });
  await account.getPayment(id);
  await account.listPayments();
  const { payment_id } = await account.stagePaypalPayment({
    usd: "1.00",
    redirect_url: "https://a.example",
    cancel_url: "https://b.example",
  });
  await account.executePaypalPayment({ payer_id: "ABC", payment_id });
  await refused(400, account.addPromoCode({ promo_code: "abc123" }));
};

const betas = async ({ client: { account, betas: programs } }: Tourist): Promise<void> => {
  const [beta] = await programs.list();
  await programs.get(beta!.id);
  await account.joinBeta({ id: beta!.id });
  await account.listBetas();
  await account.getBeta(beta!.id);
};

/** The smallest there is. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const clients = async ({ client: { account } }: Tourist): Promise<void> => {
  const app = { label: "app", redirect_uri: "https://app.example/back", public: false };
  const { id } = await account.createOAuthClient(app);
  await account.listOAuthClients();
  await account.getOAuthClient(id);
  await account.updateOAuthClient(id, { ...app, label: "app-2" });
  await account.resetOAuthClientSecret(id);
  await account.setOAuthClientThumbnail(id, picture);
  expect(Buffer.from(await account.getOAuthClientThumbnail(id)).equals(picture)).toBe(true);
  await account.deleteOAuthClient(id);
};

const transfers = async ({ client: { account }, offline, refused, wire }: Tourist): Promise<void> => {
  const { id } = await offline("to-give");
  const { token } = await account.createServiceTransfer({ entities: { linodes: [id] } });
  await account.listServiceTransfers();
  await account.getServiceTransfer(token);
  await refused(400, account.acceptServiceTransfer(token));
  await account.cancelServiceTransfer(token);
  // The older name of the same.
  const older = await wire("POST", "account/entity-transfers", { entities: { linodes: [id] } });
  const at = `account/entity-transfers/${(older as { readonly token: string }).token}`;
  await wire("GET", "account/entity-transfers");
  await wire("GET", at);
  await refused(400, wire("POST", `${at}/accept`));
  await wire("DELETE", at);
};
