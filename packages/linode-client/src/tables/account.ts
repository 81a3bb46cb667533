import { acts, deletes, lists, of, posts, puts, putsBytes, reads, readsBytes } from "../operation.ts";
import type {
  Account,
  AccountBetaProgram,
  AccountNotification,
  AccountSettings,
  AccountTransfer,
  Agreements,
  BetaProgram,
  CreateOAuthClient,
  CreatePayment,
  CreatePaymentMethod,
  CreateServiceTransfer,
  CreateUser,
  CreditCard,
  Grants,
  Invoice,
  InvoiceItem,
  Login,
  Maintenance,
  OAuthClient,
  Payment,
  PaymentMethod,
  PromoCredit,
  ProxyToken,
  RegionServices,
  ServiceTransfer,
  UpdateAccount,
  UpdateAccountSettings,
  UpdateGrants,
  User,
} from "../types/account.ts";
import type { AccountEvent } from "../types/services.ts";

const client = "account/oauth-clients/$id" as const;
const method = "account/payment-methods/:id" as const;
const transfer = "account/service-transfers/$token" as const;
const user = "account/users/$username" as const;

/** The account itself: settings, users, bills. */
export const account = {
  get: reads("account", of<Account>),
  update: puts("account", of<UpdateAccount>, of<Account>),
  cancel: posts("account/cancel", of<{ readonly comments?: string }>, of<{ readonly survey_link: string }>),
  settings: reads("account/settings", of<AccountSettings>),
  updateSettings: puts("account/settings", of<UpdateAccountSettings>, of<AccountSettings>),
  enableManaged: acts("account/settings/managed-enable"),
  transfer: reads("account/transfer", of<AccountTransfer>),
  agreements: reads("account/agreements", of<Agreements>),
  acceptAgreements: posts("account/agreements", of<Partial<Agreements>>),
  listAvailability: lists("account/availability", of<RegionServices>),
  getAvailability: reads("account/availability/$region", of<RegionServices>),
  listMaintenance: lists("account/maintenance", of<Maintenance>),
  listNotifications: lists("account/notifications", of<AccountNotification>),
  listLogins: lists("account/logins", of<Login>),
  getLogin: reads("account/logins/:id", of<Login>),

  listChildAccounts: lists("account/child-accounts", of<Account>),
  getChildAccount: reads("account/child-accounts/$euuid", of<Account>),
  createChildToken: acts("account/child-accounts/$euuid/token", of<ProxyToken>),

  listInvoices: lists("account/invoices", of<Invoice>),
  getInvoice: reads("account/invoices/:id", of<Invoice>),
  listInvoiceItems: lists("account/invoices/:id/items", of<InvoiceItem>),
  listPayments: lists("account/payments", of<Payment>),
  getPayment: reads("account/payments/:id", of<Payment>),
  createPayment: posts("account/payments", of<CreatePayment>, of<Payment>),
  stagePaypalPayment: posts(
    "account/payments/paypal",
    of<{ readonly usd: string; readonly redirect_url: string; readonly cancel_url: string }>,
    of<{ readonly payment_id: string; readonly checkout_token: string }>,
  ),
  executePaypalPayment: posts(
    "account/payments/paypal/execute",
    of<{ readonly payer_id: string; readonly payment_id: string }>,
  ),
  addPromoCode: posts("account/promo-codes", of<{ readonly promo_code: string }>, of<PromoCredit>),
  setCreditCard: posts("account/credit-card", of<CreditCard>),
  listPaymentMethods: lists("account/payment-methods", of<PaymentMethod>),
  getPaymentMethod: reads(method, of<PaymentMethod>),
  addPaymentMethod: posts("account/payment-methods", of<CreatePaymentMethod>),
  deletePaymentMethod: deletes(method),
  makeDefaultPaymentMethod: acts(`${method}/make-default`),

  listOAuthClients: lists("account/oauth-clients", of<OAuthClient>),
  getOAuthClient: reads(client, of<OAuthClient>),
  createOAuthClient: posts("account/oauth-clients", of<CreateOAuthClient>, of<OAuthClient>),
  updateOAuthClient: puts(client, of<Partial<CreateOAuthClient>>, of<OAuthClient>),
  deleteOAuthClient: deletes(client),
  resetOAuthClientSecret: acts(`${client}/reset-secret`, of<OAuthClient>),

  /** A picture, PNG. */
  getOAuthClientThumbnail: readsBytes(`${client}/thumbnail`),
  setOAuthClientThumbnail: putsBytes(`${client}/thumbnail`, "image/png"),

  listBetas: lists("account/betas", of<AccountBetaProgram>),
  getBeta: reads("account/betas/$id", of<AccountBetaProgram>),
  joinBeta: posts("account/betas", of<{ readonly id: string }>),

  listServiceTransfers: lists("account/service-transfers", of<ServiceTransfer>),
  getServiceTransfer: reads(transfer, of<ServiceTransfer>),
  createServiceTransfer: posts("account/service-transfers", of<CreateServiceTransfer>, of<ServiceTransfer>),
  acceptServiceTransfer: acts(`${transfer}/accept`),
  cancelServiceTransfer: deletes(transfer),

  listUsers: lists("account/users", of<User>),
  getUser: reads(user, of<User>),
  createUser: posts("account/users", of<CreateUser>, of<User>),
  updateUser: puts(user, of<Partial<CreateUser>>, of<User>),
  deleteUser: deletes(user),
  getGrants: reads(`${user}/grants`, of<Grants>),
  updateGrants: puts(`${user}/grants`, of<UpdateGrants>, of<Grants>),
};

/** Events of the account, the newest first. */
export const events = {
  list: lists("account/events", of<AccountEvent>),
  get: reads("account/events/:id", of<AccountEvent>),
  /** Marks it and all older ones. */
  markSeen: acts("account/events/:id/seen"),
  markRead: acts("account/events/:id/read"),
};

/** Beta programs that the account may join. */
export const betas = {
  list: lists("betas", of<BetaProgram>),
  get: reads("betas/$id", of<BetaProgram>),
};
