// Notifications, checked by other software: signatures by `standardwebhooks`, encryption by `http_ece`, mail
// by `smtp-server` and `mailparser`, display by a browser.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createECDH, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import ece from 'http_ece'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { begun, browse, host, join, onTurn, player, serve } from './support.mjs'

/** Waits until `look` returns a value. @template T @param {() => T | Promise<T>} look */
async function eventually(look) {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await look()
    if (found) return found
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`never: ${look}`)
}

/** Starts a receiver of webhooks and pushes, with its own certificate. `answers` are its answers by path. */
async function receive() {
  const folder = mkdtempSync(path.join(tmpdir(), 'playledger-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name))
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ],
    { stdio: 'ignore' },
  )
  const came = []
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      came.push({ path: request.url, headers: request.headers, body })
      response
        .writeHead(request.url.startsWith('/push') ? 201 : 200)
        .end(request.url.startsWith('/push') ? '' : body)
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `https://127.0.0.1:${server.address().port}`,
    cert,
    came,
    at: (where) => came.filter((one) => one.path === where),
    end: () => (server.close(), rmSync(folder, { recursive: true })),
  }
}

async function takeMail() {
  const mails = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _, done) => void simpleParser(stream).then((mail) => (mails.push(mail), done())),
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `smtp://127.0.0.1:${server.server.address().port}`, mails, end: () => server.close() }
}

let browser, receiver, post, server
before(async () => {
  ;[browser, receiver, post] = [await browse(), await receive(), await takeMail()]
  const first = await serve()
  // Links in mails lead to this server, whose port is known only now.
  await first.kill()
  server = await serve({
    folder: first.folder,
    port: first.port,
    flags: [
      '--webhook-allow',
      '127.0.0.1',
      '--webhook-ca',
      receiver.cert,
      '--smtp',
      post.url,
      '--mail-from',
      'Games <games@play.example>',
      '--public-url',
      first.url,
    ],
  })
})
after(async () => {
  await browser.close()
  await server.end()
  receiver.end()
  post.end()
})

const settings = async (page) => {
  await page.goto(`${server.url}/settings`)
  await page.locator('.told').waitFor()
  return page.locator('.told')
}

/** Returns a table of two with the first player to act, or the second. */
async function sitDown(one, other) {
  await one.goto(`${server.url}/`)
  await one.locator('.home').waitFor()
  await join(other, await host(one))
  await begun([one, other])
}

test('a browser shows what the server has encrypted for it alone', async () => {
  const ada = await player(browser, server.url, 'Ada')
  await ada.context().grantPermissions(['notifications'], { origin: server.url })
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  // A local substitute for the push service, which is not reachable here.
  await ada.addInitScript(
    ([endpoint, p256dh, auth]) => {
      let made = null
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        made = {
          endpoint,
          applicationServerKey,
          unsubscribe: async () => true,
          toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        }
        return made
      }
      PushManager.prototype.getSubscription = async () => made
    },
    [`${receiver.url}/push/ada`, keys.getPublicKey('base64url'), auth.toString('base64url')],
  )
  await ada.reload()
  const told = await settings(ada)
  await told.getByRole('button', { name: 'Turn on', exact: true }).click()
  await told.getByText(/(On in this browser|Testing this browser)/).waitFor()
  const read = ({ body }) =>
    JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }))
  const [first] = await eventually(() => receiver.at('/push/ada').length > 0 && receiver.at('/push/ada'))
  assert.match(read(first).text, /This browser will tell you/)
  assert.match(first.headers.authorization, /^vapid t=/)

  const bob = await player(browser, server.url, 'Bob')
  await sitDown(ada, bob)
  const turn = await onTurn([ada, bob])
  const before = receiver.at('/push/ada').length
  // A visible page gets no push; a closed one does.
  assert.ok(
    receiver
      .at('/push/ada')
      .map(read)
      .every(({ type }) => type === 'test'),
    'her page was open',
  )
  const cdp = await ada.context().newCDPSession(ada)
  const registration = new Promise((done) =>
    cdp.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations: [one] }) => one && done(one.registrationId),
    ),
  )
  await cdp.send('ServiceWorker.enable')
  const message = {
    title: 'Industrial <b>Waste',
    text: 'Ada, take one of the 3 columns.',
    game: '01900000-0000-7000-8000-000000000001',
    type: 'turn',
  }
  const push = { origin: server.url, registrationId: await registration, data: JSON.stringify(message) }
  // Chromium may forget a notification that is read while it appears; a second push with the same tag
  // replaces the first.
  const shown = await eventually(async () => {
    const [one] = await ada.evaluate(async () => {
      const all = await (await navigator.serviceWorker.ready).getNotifications()
      return all.map(({ title, body, tag, data }) => ({ title, body, tag, data }))
    })
    if (!one) await cdp.send('ServiceWorker.deliverPushMessage', push)
    return one
  })
  assert.deepEqual(shown, {
    title: message.title,
    body: message.text,
    tag: message.game,
    data: { place: `/games/${message.game}` },
  })
  // After she closes the page, she is notified of her turn and of the end.
  await ada.goto('about:blank')
  assert.ok(turn !== undefined && before >= 1)
  await bob
    .getByRole('button', { name: 'Table', exact: true })
    .or(bob.locator('.menu > button'))
    .first()
    .click()
  await bob
    .getByRole('button', { name: /Resign/ })
    .first()
    .click()
  await bob.locator('.sure .grave').click()
  const last = await eventually(() =>
    receiver
      .at('/push/ada')
      .map(read)
      .find(({ type }) => type === 'finished'),
  )
  assert.equal(last.text, 'The game is over.')
  await bob.context().close()
})

test('a mail address is confirmed by its link, and let go by another', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const told = await settings(ada)
  await told.getByRole('button', { name: 'Turn on email' }).click()
  await told.getByLabel('Email address').fill('ada@mail.example')
  await told.getByRole('button', { name: 'Turn on email' }).click()
  await told.getByText('Open the link in the email we sent to ada@mail.example.').waitFor()
  const asked = await eventually(() => post.mails.find(({ to }) => to.text === 'ada@mail.example'))
  assert.equal(asked.headers.get('auto-submitted'), 'auto-generated')
  const reader = await player(browser, server.url, 'Ada elsewhere')
  const link = (mail, what) => mail.text.match(new RegExp(`${server.url}/mail/${what}#\\S+`))[0]
  await reader.goto(link(asked, 'confirm'))
  await reader.getByRole('button', { name: 'Confirm' }).click()
  await reader.getByText('Done. You will get an email when it is your turn.').waitFor()
  await ada.reload()
  await ada.getByText('ada@mail.example, at once').waitFor()
  const bob = await player(browser, server.url, 'Bob')
  await sitDown(ada, bob)
  await ada.goto('about:blank')
  await bob.locator('.menu > button').click()
  await bob
    .getByRole('button', { name: /Resign/ })
    .first()
    .click()
  await bob.locator('.sure .grave').click()
  const mail = await eventually(() =>
    post.mails.find(({ to, text }) => to.text === 'ada@mail.example' && text.includes('The game is over.')),
  )
  assert.match(mail.html, /<a href="http:\/\/127\.0\.0\.1:\d+\/games\//)
  assert.match(mail.headers.get('list').unsubscribe.url, /\/v1\/mail\/unsubscriptions\?code=/)
  await reader.goto(link(mail, 'unsubscribe'))
  await reader.getByRole('button', { name: 'Unsubscribe' }).click()
  await reader.getByText('You will get no more email.').waitFor()
  for (const page of [reader, bob]) {
    assert.deepEqual(page.complaints, [])
    await page.context().close()
  }
})

test('a place outside is added, proved by the code that arrived there, and told', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const told = await settings(ada)
  await told.getByRole('button', { name: 'Add a channel' }).click()
  await told.getByLabel('Type').selectOption('discord')
  await told.getByLabel('Webhook address').fill(`${receiver.url}/discord`)
  await told.getByRole('button', { name: 'Add and send a test' }).click()
  const [first] = await eventually(() => receiver.at('/discord').length && receiver.at('/discord'))
  const [code] = JSON.parse(first.body)
    .content.replaceAll('\\', '')
    .match(/[0-9a-f]{4}-[0-9a-f]{4}/)
  await told.getByLabel('Code from the test message').fill(code)
  await told.getByRole('button', { name: 'Confirm' }).click()
  await told.locator('.webhook').getByText('· on').waitFor()
  await told.getByRole('button', { name: 'Set quiet hours' }).click()
  await told.getByLabel('From').fill('00:00')
  await told.getByLabel('to', { exact: true }).fill('00:00')
  await told.getByRole('button', { name: 'Set quiet hours' }).click()
  await told.getByText('Nothing from 00:00 to 00:00.').waitFor()
  assert.deepEqual(ada.complaints, [])
  await ada.context().close()
})

test('the signatures are those of the Standard Webhooks', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const made = await ada.evaluate(async (url) => {
    const { token } = JSON.parse(localStorage.getItem('playledger.session'))
    const answer = await fetch('/v1/webhooks', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, format: 'standard' }),
    })
    return answer.json()
  }, `${receiver.url}/standard`)
  const [{ headers, body }] = await eventually(
    () => receiver.at('/standard').length && receiver.at('/standard'),
  )
  const message = new Webhook(made.secret).verify(body.toString(), headers)
  assert.equal(message.type, 'test')
  assert.throws(() => new Webhook(made.secret).verify(`${body} `, headers))
  await ada.context().close()
})
