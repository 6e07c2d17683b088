/** Attempts of a page of another origin, in a browser with a session of the wiki. Each function runs in the page. */

/** Ways to read what only the logged-in user may read. */
export const readingSession = {
  'fetch with the cookie': async wiki => (await fetch(`${wiki}/v1/session`, { credentials: 'include' })).text(),
  'fetch of a page with the cookie': async wiki =>
    (await fetch(`${wiki}/v1/page/Tide`, { credentials: 'include' })).text(),
  'fetch without asking leave': async wiki =>
    (await fetch(`${wiki}/v1/session`, { credentials: 'include', mode: 'no-cors' })).text(),
  'fetch as if of the same origin': async wiki => (await fetch(`${wiki}/v1/session`, { mode: 'same-origin' })).text(),
  'fetch by way of a redirect': async wiki =>
    (await fetch(`/away?to=${encodeURIComponent(`${wiki}/v1/session`)}`, { credentials: 'include' })).text(),
  'an old request object': wiki =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('GET', `${wiki}/v1/session`)
      request.withCredentials = true
      request.onload = () => resolve(request.responseText)
      request.onerror = () => reject(new Error('refused'))
      request.send()
    }),
  'a frame': wiki =>
    new Promise(resolve => {
      const frame = document.createElement('iframe')
      frame.src = `${wiki}/v1/session`
      frame.onload = () => resolve(frame.contentDocument?.documentElement.textContent ?? '')
      document.body.append(frame)
    }),
  'a frame of a page': wiki =>
    new Promise(resolve => {
      const frame = document.createElement('iframe')
      frame.src = `${wiki}/v1/page/Tide/html`
      frame.onload = () => resolve(frame.contentDocument?.documentElement.textContent ?? '')
      document.body.append(frame)
    }),
  'an object': wiki =>
    new Promise(resolve => {
      const object = document.createElement('object')
      object.data = `${wiki}/v1/session`
      object.onload = () => resolve(object.contentDocument?.documentElement.textContent ?? '')
      object.onerror = () => resolve('')
      document.body.append(object)
      setTimeout(resolve, 500, '')
    }),
  'a script': wiki =>
    new Promise(resolve => {
      const before = Object.keys(window).length
      const script = document.createElement('script')
      script.src = `${wiki}/v1/session`
      script.onload = () => resolve(`loaded ${Object.keys(window).length - before}`)
      script.onerror = () => resolve('')
      document.body.append(script)
    }),
  'a style sheet': wiki =>
    new Promise(resolve => {
      const link = document.createElement('link')
      link.rel = 'stylesheet'
      link.href = `${wiki}/v1/page/Tide`
      link.onload = () => resolve(Array.from(link.sheet?.cssRules ?? [], rule => rule.cssText).join(''))
      link.onerror = () => resolve('')
      document.head.append(link)
    }),
  'an event source': wiki =>
    new Promise(resolve => {
      const source = new EventSource(`${wiki}/v1/session`, { withCredentials: true })
      source.onmessage = event => resolve(event.data)
      source.onerror = () => resolve('')
    }),
  'a web socket': wiki =>
    new Promise(resolve => {
      const socket = new WebSocket(`${wiki.replace('http', 'ws')}/v1/session`)
      socket.onopen = () => resolve('open')
      socket.onerror = () => resolve('')
    }),
  'a window': wiki =>
    new Promise(resolve => {
      const other = window.open(`${wiki}/v1/session`)
      setTimeout(() => {
        try {
          resolve(other?.document.documentElement.textContent ?? '')
        } catch {
          resolve('')
        }
        other?.close()
      }, 300)
    }),
}

/** Ways to read public data, which a server with `--no-cors` restricts to its own pages. */
export const readingPages = {
  'fetch of a page': async wiki => (await fetch(`${wiki}/v1/page/Tide`, { credentials: 'omit' })).text(),
  'fetch of a search': async wiki => (await fetch(`${wiki}/v1/search/page?q=tide`, { credentials: 'omit' })).text(),
  'fetch of a transform': async wiki => {
    const headers = { 'content-type': 'application/json' }
    const url = `${wiki}/v1/transform/wikitext/to/html`
    return (await fetch(url, { method: 'POST', headers, body: '{"wikitext":"{{:Tide}}"}' })).text()
  },
  'the size of a picture': wiki =>
    new Promise(resolve => {
      const image = new Image()
      image.onload = () => resolve(`Tide ${image.naturalWidth}`)
      image.onerror = () => resolve('')
      image.src = `${wiki}/files/Tide.svg`
    }),
  'what is drawn': wiki =>
    new Promise((resolve, reject) => {
      const image = new Image()
      image.crossOrigin = 'anonymous'
      image.onerror = () => reject(new Error('refused'))
      image.onload = () => {
        const canvas = document.createElement('canvas')
        const context = canvas.getContext('2d')
        context?.drawImage(image, 0, 0)
        resolve(`Tide ${context?.getImageData(0, 0, 1, 1).data.join()}`)
      }
      image.src = `${wiki}/files/Tide.svg`
    }),
}

/** Ways to write; they get the CSRF token, as if it had been stolen. */
export const writing = {
  'a plain text that is JSON': async (wiki, token) => {
    const body = JSON.stringify({ title: 'Evil 1', source: 'x', comment: null, token })
    return String(
      (await fetch(`${wiki}/v1/page`, { method: 'POST', mode: 'no-cors', credentials: 'include', body })).status,
    )
  },
  JSON: async (wiki, token) => {
    const body = JSON.stringify({ title: 'Evil 2', source: 'x', comment: null, token })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${wiki}/v1/page`, { method: 'POST', credentials: 'include', headers, body })).text()
  },
  'PUT, which is asked leave for': async (wiki, token) => {
    const body = JSON.stringify({ source: 'evil', comment: null, latest: { id: 1 }, token })
    return (await fetch(`${wiki}/v1/page/Tide`, { method: 'PUT', credentials: 'include', body })).text()
  },
  'the end of the session': async wiki =>
    (await fetch(`${wiki}/v1/session`, { method: 'DELETE', credentials: 'include' })).text(),
  'a session of somebody else': async wiki => {
    const headers = { 'content-type': 'application/json' }
    const body = '{"token":"wiki_x"}'
    return (await fetch(`${wiki}/v1/session`, { method: 'POST', credentials: 'include', headers, body })).text()
  },
  'a beacon': async (wiki, token) => {
    const text = JSON.stringify({ title: 'Evil 3', source: 'x', comment: null, token })
    navigator.sendBeacon(`${wiki}/v1/page`, text)
    try {
      navigator.sendBeacon(`${wiki}/v1/page`, new Blob([text], { type: 'application/json' }))
    } catch {
      // Refused before it is sent.
    }
    return ''
  },
  'a redirect that keeps the method': async (wiki, token) => {
    const body = JSON.stringify({ title: 'Evil 4', source: 'x', comment: null, token })
    const to = `/away?to=${encodeURIComponent(`${wiki}/v1/page`)}`
    return String((await fetch(to, { method: 'POST', mode: 'no-cors', credentials: 'include', body })).status)
  },
  'forms of every type, in frames of every kind': async (wiki, token) => {
    const types = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']
    for (const sandbox of [null, 'allow-forms', 'allow-forms allow-same-origin']) {
      for (const type of types) {
        for (const target of [`${wiki}/v1/page`, `/away?to=${encodeURIComponent(`${wiki}/v1/page`)}`]) {
          const frame = document.createElement('iframe')
          if (sandbox !== null) frame.setAttribute('sandbox', `${sandbox} allow-scripts`)
          const name = `{"title":"Evil 5","source":"x","comment":null,"token":"${token}","x":"`.replaceAll(
            '"',
            '&quot;',
          )
          frame.srcdoc =
            `<form method="post" enctype="${type}" action="${new URL(target, location.href)}">` +
            `<input name="${name}" value="&quot;}"></form><script>document.forms[0].submit()</script>`
          document.body.append(frame)
        }
      }
    }
    await new Promise(resolve => setTimeout(resolve, 1_000))
    return ''
  },
  'what is fetched by elements': async wiki => {
    for (const [tag, name] of [
      ['img', 'src'],
      ['script', 'src'],
      ['iframe', 'src'],
      ['video', 'src'],
      ['link', 'href'],
    ]) {
      const element = document.createElement(tag)
      element.setAttribute('rel', 'stylesheet')
      element.setAttribute(name, `${wiki}/v1/page?title=Evil&source=x&_method=POST`)
      document.body.append(element)
    }
    await new Promise(resolve => setTimeout(resolve, 300))
    return ''
  },
  'a socket': wiki =>
    new Promise(resolve => {
      const socket = new WebSocket(`${wiki.replace('http', 'ws')}/v1/page`)
      socket.onopen = () => resolve('open')
      socket.onerror = () => resolve('')
    }),
}
