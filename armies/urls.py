app_name = "armies"
urlpatterns = []
