import type { Open } from "./api.ts";

/** The user that the token stands for. */
export interface Profile {
  readonly uid: number;
  readonly username: string;
  readonly email: string;
  readonly timezone: string;
  readonly email_notifications: boolean;
  readonly ip_whitelist_enabled: boolean;
  readonly lish_auth_method: Open<"password_keys" | "keys_only" | "disabled">;
  /** Keys for the console. */
  readonly authorized_keys: readonly string[] | null;
  readonly two_factor_auth: boolean;
  /** It has only the rights that were given to it. */
  readonly restricted: boolean;
  readonly authentication_type?: Open<"password" | "github" | "google">;
  readonly user_type?: Open<"default" | "parent" | "child" | "proxy">;
  readonly verified_phone_number?: string | null;
  readonly referrals?: {
    readonly code: string;
    readonly url: string;
    readonly total: number;
    readonly completed: number;
    readonly pending: number;
    readonly credit: number;
  };
}

/** Only the fields given change. */
export interface UpdateProfile {
  readonly email?: string;
  readonly timezone?: string;
  readonly email_notifications?: boolean;
  readonly ip_whitelist_enabled?: boolean;
  readonly lish_auth_method?: "password_keys" | "keys_only" | "disabled";
  readonly authorized_keys?: readonly string[] | null;
  readonly two_factor_auth?: boolean;
  readonly restricted?: boolean;
}

export interface SshKey {
  readonly id: number;
  readonly label: string;
  readonly ssh_key: string;
  readonly created: string;
}

export interface CreateSshKey {
  readonly label: string;
  readonly ssh_key: string;
}

/** A personal token. Only the answer that makes it has all of `token`. */
export interface PersonalToken {
  readonly id: number;
  readonly label: string;
  readonly scopes: string;
  readonly token: string;
  readonly created: string;
  readonly expiry: string | null;
}

export interface CreatePersonalToken {
  readonly label?: string;
  /** For example `linodes:read_only`; `*` is all. */
  readonly scopes?: string;
  /** `null`: never. */
  readonly expiry?: string | null;
}
