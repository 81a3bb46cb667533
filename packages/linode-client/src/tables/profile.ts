import { deletes, lists, of, posts, puts, reads } from "../operation.ts";
import type { CreateLock, Lock } from "../types/locks.ts";
import type {
  CreatePersonalToken,
  CreateSshKey,
  PersonalToken,
  Profile,
  SshKey,
  UpdateProfile,
} from "../types/profile.ts";

const key = "profile/sshkeys/:id" as const;
const token = "profile/tokens/:id" as const;

/** The user that the token stands for: its SSH keys and tokens. */
export const profile = {
  get: reads("profile", of<Profile>),
  update: puts("profile", of<UpdateProfile>, of<Profile>),
  listSshKeys: lists("profile/sshkeys", of<SshKey>),
  getSshKey: reads(key, of<SshKey>),
  createSshKey: posts("profile/sshkeys", of<CreateSshKey>, of<SshKey>),
  updateSshKey: puts(key, of<{ readonly label: string }>, of<SshKey>),
  deleteSshKey: deletes(key),
  listTokens: lists("profile/tokens", of<PersonalToken>),
  getToken: reads(token, of<PersonalToken>),
  createToken: posts("profile/tokens", of<CreatePersonalToken>, of<PersonalToken>),
  updateToken: puts(token, of<{ readonly label: string }>, of<PersonalToken>),
  deleteToken: deletes(token),
};

/** Locks that protect resources from deletion. */
export const locks = {
  list: lists("locks", of<Lock>),
  get: reads("locks/:id", of<Lock>),
  create: posts("locks", of<CreateLock>, of<Lock>),
  delete: deletes("locks/:id"),
};
