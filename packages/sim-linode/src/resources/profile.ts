import type { PersonalToken, Profile, SshKey } from "@capstan/linode-client";
import { boolean, invalid, list, object, type Route, text } from "@capstan/simulation";
import { freely, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import type { Mutable, SimulatorState } from "../state.ts";
import { owner } from "../stored-account.ts";
import type { World } from "../world.ts";
import { uniqueLabel } from "./account-rules.ts";
import { apiTime } from "../times.ts";

const newProfile: Profile = {
  uid: 1,
  username: owner,
  email: "owner@example.com",
  timezone: "UTC",
  email_notifications: true,
  ip_whitelist_enabled: false,
  lish_auth_method: "keys_only",
  authorized_keys: null,
  two_factor_auth: false,
  restricted: false,
  authentication_type: "password",
  user_type: "default",
  verified_phone_number: null,
  referrals: {
    code: "simulated",
    url: "https://example.com/?r=simulated",
    total: 0,
    completed: 0,
    pending: 0,
    credit: 0,
  },
};

const profileOf = ({ profile }: SimulatorState): Profile => ({ ...newProfile, ...profile });

const profileShape = object({
  email: text({ format: "email" }),
  timezone: text(),
  email_notifications: boolean,
  ip_whitelist_enabled: boolean,
  lish_auth_method: text({ enum: ["password_keys", "keys_only", "disabled"] }),
  authorized_keys: { ...list(text()), nullable: true },
  two_factor_auth: boolean,
  restricted: boolean,
});

const label = text({ min: 1, max: 64 });
/** Returns a list that a new account does not have, creating it if needed. */
const kept = <K extends "sshKeys" | "tokens">(state: SimulatorState, key: K): NonNullable<SimulatorState[K]> =>
  (state[key] ??= [] as NonNullable<SimulatorState[K]>);

const newKey = (
  { label: name, ssh_key: key }: { readonly label: string; readonly ssh_key: string },
  world: World,
): Mutable<SshKey> => {
  if (!/^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d+) [A-Za-z0-9+/=]+/.test(key)) {
    throw invalid("SSH Key key-type must be ssh-dss, ssh-rsa, ecdsa-sha2-nistp, or ssh-ed25519.", "ssh_key");
  }
  uniqueLabel(kept(world.state, "sshKeys"), name);
  return { id: world.newId(), label: name, ssh_key: key, created: apiTime(world.clock.now()) };
};

const newToken = (
  wanted: { readonly label?: string; readonly scopes?: string; readonly expiry?: string | null },
  world: World,
): Mutable<PersonalToken> => {
  const id = world.newId();
  return {
    id,
    label: wanted.label ?? `token${id}`,
    scopes: wanted.scopes ?? "*",
    // It opens nothing: the simulator takes its one token alone. Of a token all but its beginning is shown once.
    token: Buffer.from(world.random.bytes(32)).toString("hex"),
    created: apiTime(world.clock.now()),
    expiry: wanted.expiry ?? "2999-01-01T05:00:00",
  };
};

/** The user that the token of the account stands for: the owner. */
export const profileRoutes: readonly Route<World>[] = [
  route({ method: "GET", path: "profile", handle: (_request, { state }) => profileOf(state) }),
  route({
    method: "PUT",
    path: "profile",
    body: profileShape,
    handle: ({ body }, { state }) => {
      state.profile = { ...state.profile, ...body };
      return profileOf(state);
    },
  }),
  ...resource({
    path: "profile/sshkeys",
    filterable: ["id", "label"],
    items: (_request, { state }) => kept(state, "sshKeys"),
    create: { body: object({ label, ssh_key: text({ min: 1 }) }, ["label", "ssh_key"]), make: newKey },
    update: { body: object({ label }, ["label"]) },
    remove: freely,
  }),
  ...resource({
    path: "profile/tokens",
    filterable: ["id", "label"],
    items: (_request, { state }) => kept(state, "tokens"),
    view: (token) => ({ ...token, token: token.token.slice(0, 16) }),
    event: "token",
    create: {
      body: object({ label, scopes: text(), expiry: text({ nullable: true }) }),
      make: newToken,
      shown: ({ token }) => ({ token }),
    },
    update: { body: object({ label }, ["label"]) },
    remove: freely,
  }),
];
