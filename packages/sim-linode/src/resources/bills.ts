import type { Invoice, Payment } from "@capstan/linode-client";
import { boolean, integer, invalid, object, type Route, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import type { StoredInvoice } from "../stored-account.ts";
import type { World } from "../world.ts";
import { apiTime } from "../times.ts";

const card = object(
  {
    card_number: text({ min: 14, max: 24, format: "digits" }),
    cvv: text({ min: 3, max: 4, format: "digits" }),
    expiry_month: { type: "integer", min: 1, max: 12 },
    expiry_year: integer,
  },
  ["card_number", "cvv", "expiry_month", "expiry_year"],
);

const amountPattern = /^\$?\d+\.\d{2}$/;
const amount = text({ pattern: amountPattern });

/** A payment, which the account owes less by. */
const payment = (usd: number, { newId, clock, state: { account } }: World): Payment => {
  account.details = { ...account.details, balance: account.details.balance - usd };
  return { id: newId(), date: apiTime(clock.now()), usd };
};

/** Invoices, payments and what they are paid with. */
export const billRoutes: readonly Route<World>[] = [
  collection({
    path: "account/invoices",
    filterable: ["label", "billing_source", "date", "subtotal", "tax", "total"],
    list: (_request, { state }) => state.account.invoices.map(invoiceView),
  }),
  route({
    method: "GET",
    path: "account/invoices/:id",
    handle: (request, { state }) => invoiceView(named(state.account.invoices, request, "id")),
  }),
  collection({
    path: "account/invoices/:id/items",
    filterable: ["label", "type", "amount"],
    list: (request, { state }) => named(state.account.invoices, request, "id").items,
  }),
  ...resource({
    path: "account/payment-methods",
    filterable: [],
    items: (_request, { state }) => state.account.paymentMethods,
    create: {
      body: object({ type: text({ enum: ["credit_card"] }), is_default: boolean, data: card }, [
        "type",
        "is_default",
        "data",
      ]),
      make: ({ type, is_default: isDefault, data }, { newId, clock, state }) => {
        if (isDefault) for (const each of state.account.paymentMethods) each.is_default = false;
        const expiry = `${String(data.expiry_month).padStart(2, "0")}/${data.expiry_year}`;
        return {
          id: newId(),
          type,
          is_default: isDefault,
          created: apiTime(clock.now()),
          data: { card_type: "Visa", expiry, last_four: data.card_number.slice(-4) },
        };
      },
    },
    remove: ({ is_default: isDefault }) => {
      if (isDefault) throw invalid("The default payment method cannot be deleted");
    },
  }),
  route({
    method: "POST",
    path: "account/payment-methods/:id/make-default",
    handle: (request, { state }) => {
      const chosen = named(state.account.paymentMethods, request, "id");
      for (const each of state.account.paymentMethods) each.is_default = each === chosen;
    },
  }),
  route({
    method: "POST",
    path: "account/credit-card",
    body: card,
    handle: ({ body }, { state }) => {
      const { account } = state;
      const expiry = `${String(body.expiry_month).padStart(2, "0")}/${body.expiry_year}`;
      account.details = { ...account.details, credit_card: { expiry, last_four: body.card_number.slice(-4) } };
    },
  }),
  ...resource({
    path: "account/payments",
    filterable: [],
    items: (_request, { state }) => state.account.payments,
    create: {
      body: object({ usd: amount, payment_method_id: integer, cvv: text({ min: 3, max: 4, format: "digits" }) }),
      make: ({ usd = "0.00", payment_method_id: method }, world) => {
        const { paymentMethods } = world.state.account;
        if (method !== undefined && !paymentMethods.some(({ id }) => id === method)) {
          throw invalid("A payment method by that ID was not found", "payment_method_id");
        }
        return payment(Number(usd.replace("$", "")), world);
      },
    },
  }),
  route({
    method: "POST",
    path: "account/payments/paypal",
    body: object({ usd: text(), redirect_url: text(), cancel_url: text() }, ["usd", "redirect_url", "cancel_url"]),
    handle: ({ body: { usd, ...addresses } }, world) => {
      if (!amountPattern.test(usd)) throw invalid("Must be an amount such as 12.50", "usd");
      for (const [field, address] of Object.entries(addresses)) {
        if (!URL.canParse(address)) throw invalid("Must be a URL", field);
      }
      const id = `PAYID-${world.newId()}`;
      world.state.account.stagedPayments[id] = Number(usd.replace("$", ""));
      return { payment_id: id, checkout_token: `EC-${world.newId()}` };
    },
  }),
  route({
    method: "POST",
    path: "account/payments/paypal/execute",
    body: object({ payer_id: text(), payment_id: text() }, ["payer_id", "payment_id"]),
    handle: ({ body: { payment_id: id } }, world) => {
      const { account } = world.state;
      const usd = account.stagedPayments[id];
      if (usd === undefined) throw invalid("There is no staged payment by that ID", "payment_id");
      delete account.stagedPayments[id];
      account.payments.push(payment(usd, world));
      return {};
    },
  }),
  route({
    method: "POST",
    path: "account/promo-codes",
    body: object({ promo_code: text({ min: 1, max: 32 }) }, ["promo_code"]),
    handle: () => {
      throw invalid("Invalid promo code", "promo_code");
    },
  }),
];

const invoiceView = ({ items: _items, ...invoice }: StoredInvoice): Invoice => invoice;
