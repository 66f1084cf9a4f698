"""One browser for all tests of a process, between which others run loops of their own."""

import asyncio


async def answer():
    """Something that needs a loop."""
    await asyncio.sleep(0)
    return 42


USED = []


def test_a_browser_is_there(browser):
    """As whoever asks first gets it."""
    page = browser.new_page()
    assert 3 == page.evaluate("1 + 2")
    page.close()
    USED.append(browser)


def test_a_browser_that_has_died_is_started_again(driver):
    """What was lost with it is one failure, and no failure of whatever comes next."""
    option = "--window-name=dies"
    died = driver.browser(option)
    died.close()
    another = driver.browser(option)
    assert another.is_connected()
    assert another is driver.browser(option) is not died
    another.close()


def test_loops_can_be_run_between():
    """Playwright's own loop is in nobody's way."""
    assert 42 == asyncio.run(answer())


def test_the_same_browser_goes_on(browser):
    """Nothing was started again."""
    page = browser.new_page()
    assert 3 == page.evaluate("Promise.resolve(3)")
    page.close()
    assert [browser] == USED
