// Passkeys: connects buttons with the library's forms (allauth.webauthn), and explains errors in words. Without
// scripts, or in browsers without passkeys, the buttons stay hidden; password and codes work everywhere.
const FORMS = { add: "addForm", authenticate: "authenticateForm", login: "loginForm" };
const KINDS = { SecurityError: "address", InvalidStateError: "known", Error: "broken", SyntaxError: "broken", TypeError: "broken" };

const place = document.querySelector("[data-passkey]");
function tell(kind) {
  place.textContent = place.dataset[kind];
  place.hidden = false;
}
function offer(deed) {
  const button = document.getElementById("passkey-button");
  const ids = { [deed]: button.id, credential: "id_credential", data: "js_data" };
  if (deed === "add") ids.passwordless = "id_passwordless";
  allauth.webauthn.forms[FORMS[deed]]({ ids });
  button.addEventListener("click", () => { place.hidden = true; });
  place.hidden = true;
  button.closest("[data-passkey-box]").hidden = false;
}
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  tell(KINDS[event.detail.exception?.name] ?? "none");
});
// On the sign-in page nobody is told of what they did not ask for.
if (place && window.PublicKeyCredential) offer(place.dataset.passkey);
else if (place && place.dataset.passkey !== "login") tell(isSecureContext ? "missing" : "insecure");
